import type { ComponentChildren } from "preact";
import { Problem } from "@avow/client/problem";
import { words } from "../../words/words.ts";
import { Dialog } from "./dialog.tsx";
import { Field, Form } from "./form.tsx";

interface ConfirmProps {
  title: string;
  text?: ComponentChildren;
  /** What its button says: what is done. */
  submit: string;
  /** Whether it takes something away. */
  isDanger?: boolean;
  /** Why it cannot be done, where that is known: said in place of the button. */
  refusal?: string | undefined;
  /** What has to be typed to be sure, how that is asked for, and what is said where it is something else. */
  typed?: { text: string; label: string; wrong: string };
  onConfirm: () => Promise<void>;
  onClose: () => void;
  /** What else is to be known before. */
  children?: ComponentChildren;
}

/** Asks whether something is really to be done; what goes wrong is told in it. */
export function Confirm(props: ConfirmProps) {
  const { title, text, submit, isDanger = false, refusal, typed } = props;
  const { onConfirm, onClose, children } = props;
  const cancel = (
    <button type="button" class="button ghost" onClick={onClose}>
      {words.value.app.cancel}
    </button>
  );
  return (
    <Dialog title={title} lead={text} onClose={onClose}>
      {refusal === undefined ? (
        <Form
          submit={submit}
          isDanger={isDanger}
          aside={cancel}
          toText={({ path }) => (path === "/typed" ? typed?.wrong : undefined)}
          onSubmit={async (values) => {
            if (typed && values["typed"]?.trim() !== typed.text.trim()) throw toWrong();
            await onConfirm();
          }}
        >
          {children}
          {typed && (
            <>
              <p class="code">{typed.text}</p>
              <Field name="typed" label={typed.label} autoComplete="off" isCode required />
            </>
          )}
        </Form>
      ) : (
        <>
          <p class="note warn" role="alert">
            {refusal}
          </p>
          <div class="form-end">{cancel}</div>
        </>
      )}
    </Dialog>
  );
}

function toWrong(): Problem {
  return new Problem("invalid", { errors: [{ path: "/typed", message: "is another one" }] });
}
