import { useState } from "preact/hooks";
import { type Erasure, eraseToken, getErasureReceipt } from "@avow/client/operations";
import { Problem } from "@avow/client/problem";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { readMadeFile } from "../../data/made-file.ts";
import { saveFile } from "../../data/save.ts";
import { toDay, toNumber } from "../../browser/format.ts";
import { toHref } from "../../browser/router.ts";
import { FaultNote } from "../../ui/forms/faults.tsx";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { Field, Form } from "../../ui/forms/form.tsx";
import { Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { consentWords } from "../../words/consents/words.ts";

interface EraseProps {
  projectId: string;
  token: string;
  /** Called when the erasure waits for a second person. */
  onProposed: () => void;
}

/** Erases all data of a token, after an owner has typed it, or proposes it where a second person confirms. */
export function Erase({ projectId, token, onProposed }: EraseProps) {
  const { erase } = consentWords.value;
  const [isAsking, setAsking] = useState(false);
  const [erasure, setErasure] = useState<Erasure>();
  const [isSaving, setSaving] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const save = async ({ id }: Erasure): Promise<void> => {
    setSaving(true);
    setProblem(undefined);
    try {
      const receipt = await readMadeFile(getErasureReceipt, { path: { projectId, id } });
      saveFile(new Blob([receipt], { type: "application/json" }), `erasure-${id}.json`);
    } catch (error) {
      setProblem(asProblem(error));
    }
    setSaving(false);
  };
  return (
    <Card title={erase.title} lead={erase.lead}>
      <div>
        <button type="button" class="button danger" onClick={() => setAsking(true)}>
          {erase.button}
        </button>
      </div>
      {isAsking && !erasure && (
        <Dialog title={erase.dialog} lead={erase.text} onClose={() => setAsking(false)}>
          <Form
            submit={erase.submit}
            isDanger
            toText={() => erase.wrong}
            onSubmit={async ({ typed = "" }) => {
              if (typed !== token) throw toWrong();
              const answer = await send(eraseToken, { path: { projectId, token } });
              if ("count" in answer) return setErasure(answer);
              setAsking(false);
              notify(erase.proposed(toDay(answer.expiresAt)));
              onProposed();
            }}
          >
            <p class="code">{token}</p>
            <Field name="typed" label={erase.confirm} autoComplete="off" isCode required />
          </Form>
        </Dialog>
      )}
      {erasure && (
        <Dialog title={erase.title} lead={erase.done(toNumber(erasure.count))}>
          <div class="actions">
            <button
              type="button"
              class="button"
              disabled={isSaving}
              onClick={() => void save(erasure)}
            >
              {erase.receipt}
            </button>
            <a class="button primary" href={toHref(`/projects/${projectId}/consents`)}>
              {erase.back}
            </a>
          </div>
          {problem && <FaultNote problem={problem} />}
        </Dialog>
      )}
    </Card>
  );
}

function toWrong(): Problem {
  return new Problem("invalid", { errors: [{ path: "/typed", message: "is another one" }] });
}
