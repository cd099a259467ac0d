import { useState } from "preact/hooks";
import { confirmFactor, deleteAccessTokens } from "@avow/client/operations";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { saveFile } from "../../data/save.ts";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { toFaultText } from "../../ui/forms/faults.tsx";
import { Field, Form } from "../../ui/forms/form.tsx";
import { Copyable } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { accountWords } from "../../words/account/words.ts";
import { words } from "../../words/words.ts";
import { QrCode } from "./qr-code.tsx";

/** The secret for an authenticator app. */
export interface BegunFactor {
  secret: string;
  uri: string;
}

interface SetupProps {
  begun: BegunFactor;
  onClose: () => void;
  /** Receives the recovery codes, which are shown once. */
  onDone: (recoveryCodes: readonly string[]) => void;
}

/** Shows the secret for an authenticator app, and asks for a code. */
export function FactorSetup({ begun: { secret, uri }, onClose, onDone }: SetupProps) {
  const { factor } = accountWords.value;
  const { auth, faults } = words.value;
  return (
    <Dialog title={factor.add} lead={factor.scan} onClose={onClose}>
      <QrCode text={uri} label={factor.qr} />
      <p class="soft">{factor.type}</p>
      <Copyable text={secret.replaceAll(/.{4}(?=.)/g, "$& ")} label={factor.secret} />
      <Form
        submit={factor.confirm}
        toText={() => faults.wrongCode}
        onSubmit={async ({ code = "" }) =>
          onDone((await send(confirmFactor, { body: { code } })).recoveryCodes)
        }
      >
        <Field
          name="code"
          label={auth.code.label}
          hint={auth.code.hint}
          autoComplete="one-time-code"
          inputMode="numeric"
          isCode
          required
        />
      </Form>
    </Dialog>
  );
}

interface CodesProps {
  codes: readonly string[];
  /** Whether the factor was just added: earlier sessions began without it and can be ended. */
  isFirst: boolean;
  onDone: () => Promise<void>;
}

/** Shows the recovery codes once, to copy or download. */
export function RecoveryCodes({ codes, isFirst, onDone }: CodesProps) {
  const account = accountWords.value;
  const { factor } = account;
  const [isEnded, setEnded] = useState(false);
  const text = codes.join("\n");
  const endOthers = async (): Promise<void> => {
    try {
      await send(deleteAccessTokens, { query: { kind: "session", except: "current" } });
      setEnded(true);
      notify(account.endedOthers);
    } catch (error) {
      notify(toFaultText(asProblem(error)));
    }
  };
  return (
    <Dialog title={factor.codes} lead={factor.codesLead}>
      <Copyable text={text} label={factor.codes} />
      <div class="actions">
        <button
          type="button"
          class="button small"
          onClick={() => saveFile(new Blob([`${text}\n`], { type: "text/plain" }), factor.file)}
        >
          {factor.download}
        </button>
        {isFirst && !isEnded && (
          <button type="button" class="button small" onClick={() => void endOthers()}>
            {factor.endOthers}
          </button>
        )}
      </div>
      <Form submit={factor.kept} onSubmit={onDone} />
    </Dialog>
  );
}
