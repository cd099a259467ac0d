import type { ComponentChildren } from "preact";
import { Problem } from "@avow/client/problem";
import { words } from "../../words/words.ts";
import { Dialog } from "./dialog.tsx";
import { Field, Form } from "./form.tsx";

interface ConfirmProps {
  title: string;
  text?: ComponentChildren;
  /** The text of the button, which names the action. */
  submit: string;
  /** Whether the action deletes something. */
  isDanger?: boolean;
  /** The reason why the action is not possible, shown instead of the button. */
  refusal?: string | undefined;
  /** The text to type as a confirmation, its label, and the error for another text. */
  typed?: { text: string; label: string; wrong: string };
  onConfirm: () => Promise<void>;
  onClose: () => void;
  /** Further content. */
  children?: ComponentChildren;
}

/** A confirmation dialog, which also shows errors of the action. */
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
