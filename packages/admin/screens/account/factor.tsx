import { useState } from "preact/hooks";
import { type User, beginFactor, deleteFactor, renewRecoveryCodes } from "@avow/client/operations";
import { type Problem } from "@avow/client/problem";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { toDay } from "../../browser/format.ts";
import { readMe } from "../../data/session.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { FaultNote } from "../../ui/forms/faults.tsx";
import { Badge, Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { accountWords } from "../../words/account/words.ts";
import { type BegunFactor, FactorSetup, RecoveryCodes } from "./factor-setup.tsx";

/** Below this number of recovery codes, a warning is shown. */
const FEW = 3;

/** The open dialog. */
type Open = "renewing" | "removing" | { begun: BegunFactor } | { codes: readonly string[] };

/** The second factor: add it, renew its recovery codes, remove it. */
export function FactorCard({ user: { secondFactor } }: { user: User }) {
  const { factor } = accountWords.value;
  const [open, setOpen] = useState<Open>();
  const [problem, setProblem] = useState<Problem>();
  const close = (): void => setOpen(undefined);
  const begin = async (): Promise<void> => {
    setProblem(undefined);
    try {
      setOpen({ begun: await send(beginFactor) });
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  const finish = async (): Promise<void> => {
    close();
    await readMe();
  };
  return (
    <Card
      title={factor.title}
      lead={factor.lead}
      action={
        !secondFactor && (
          <button type="button" class="button small" onClick={() => void begin()}>
            {factor.add}
          </button>
        )
      }
    >
      {problem && <FaultNote problem={problem} />}
      {secondFactor ? (
        <State factor={secondFactor} onOpen={setOpen} />
      ) : (
        <p class="soft">{factor.none}</p>
      )}
      {typeof open === "object" && "begun" in open && (
        <FactorSetup begun={open.begun} onClose={close} onDone={(codes) => setOpen({ codes })} />
      )}
      {typeof open === "object" && "codes" in open && (
        <RecoveryCodes codes={open.codes} isFirst={!secondFactor} onDone={finish} />
      )}
      {open === "renewing" && (
        <Confirm
          title={factor.renewTitle}
          text={factor.renewText}
          submit={factor.renew}
          onConfirm={async () => setOpen({ codes: (await send(renewRecoveryCodes)).recoveryCodes })}
          onClose={close}
        />
      )}
      {open === "removing" && (
        <Confirm
          title={factor.removeTitle}
          text={factor.removeText}
          submit={factor.remove}
          isDanger
          onConfirm={async () => {
            await send(deleteFactor);
            notify(factor.removed);
            await finish();
          }}
          onClose={close}
        />
      )}
    </Card>
  );
}

interface StateProps {
  factor: NonNullable<User["secondFactor"]>;
  onOpen: (open: Open) => void;
}

function State({ factor: { addedAt, recoveryCodesLeft }, onOpen }: StateProps) {
  const { factor } = accountWords.value;
  return (
    <>
      <p>
        <Badge tone="good">{factor.on}</Badge> {factor.since(toDay(addedAt))}{" "}
        <Badge tone={recoveryCodesLeft <= FEW ? "warn" : "plain"}>
          {factor.left(recoveryCodesLeft)}
        </Badge>
      </p>
      <div class="actions">
        <button type="button" class="button small" onClick={() => onOpen("renewing")}>
          {factor.renew}
        </button>
        <button type="button" class="link danger" onClick={() => onOpen("removing")}>
          {factor.remove}
        </button>
      </div>
    </>
  );
}
