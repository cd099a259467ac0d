import type { ComponentChildren } from "preact";
import { words } from "../words/words.ts";
import { Dialog } from "./dialog.tsx";
import { Form } from "./form.tsx";

interface ConfirmProps {
  title: string;
  text?: ComponentChildren;
  /** What its button says: what is done. */
  submit: string;
  /** Whether it takes something away. */
  isDanger?: boolean;
  /** Why it cannot be done, where that is known: said in place of the button. */
  refusal?: string | undefined;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** Asks whether something is really to be done; what goes wrong is told in it. */
export function Confirm(props: ConfirmProps) {
  const { title, text, submit, isDanger = false, refusal, onConfirm, onClose } = props;
  const cancel = (
    <button type="button" class="button ghost" onClick={onClose}>
      {words.value.app.cancel}
    </button>
  );
  return (
    <Dialog title={title} lead={text} onClose={onClose}>
      {refusal === undefined ? (
        <Form submit={submit} isDanger={isDanger} aside={cancel} onSubmit={onConfirm} />
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
