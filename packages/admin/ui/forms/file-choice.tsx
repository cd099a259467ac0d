import { useId } from "preact/hooks";
import { describe } from "./notes.tsx";

interface FileChoiceProps {
  name: string;
  label: string;
  hint?: string;
  accept?: string;
  multiple?: boolean;
  /** The error of the chosen files. It is announced, since they are read after the form was sent. */
  fault?: string | undefined;
  /** The language of the error, if it differs from the page's. */
  lang?: string | undefined;
}

/** A field that chooses files of this machine for the form that it is in. */
export function FileChoice({ name, label, hint, fault, lang, ...input }: FileChoiceProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...input}
        {...describe({ id, hint, fault })}
        id={id}
        name={name}
        type="file"
        aria-invalid={fault !== undefined}
      />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p class="fault" id={`${id}-fault`} role="alert" lang={lang}>
          {fault}
        </p>
      )}
    </div>
  );
}
