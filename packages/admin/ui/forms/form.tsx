import { type ComponentChildren, type InputHTMLAttributes, createContext } from "preact";
import { useContext, useId, useRef, useState } from "preact/hooks";
import { type Problem } from "@avow/client/problem";
import { asProblem } from "../../api/problem.ts";
import { words } from "../../words/words.ts";
import { FaultNote } from "./faults.tsx";
import { Notes, describe } from "./notes.tsx";

type Faults = Readonly<Record<string, string>>;
/** The values of a form, by field name. */
export type Values = Readonly<Record<string, string>>;

const FieldFaults = createContext<Faults>({});

interface FormProps {
  /** The text of the button. */
  submit: string;
  onSubmit: (values: Values, data: FormData) => Promise<void>;
  /** Content beside the button. */
  aside?: ComponentChildren;
  isDanger?: boolean;
  /** Whether the button is secondary. */
  isPlain?: boolean;
  /** Whether it cannot be submitted yet, for a reason that is shown beside it. */
  isDisabled?: boolean;
  /** Whether the form is reset after success. */
  isReset?: boolean;
  /** The app's text for the service's error of a field. */
  toText?: (fault: { path: string; message: string }, problem: Problem) => string | undefined;
  children?: ComponentChildren;
}

/**
 * A form that validates its fields, shows errors beside them, and awaits `onSubmit`. Input is kept on errors. Field
 * names are those of the API.
 */
export function Form(props: FormProps) {
  const { submit, onSubmit, aside, isDanger, isPlain, isDisabled, isReset, toText, children } =
    props;
  const kind = isPlain ? "" : isDanger ? " primary danger" : " primary";
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [faults, setFaults] = useState<Faults>({});
  const [problem, setProblem] = useState<Problem>();
  const show = (found: Faults): void => {
    setFaults(found);
    const first = Object.keys(found)[0];
    const field = first === undefined ? null : form.current?.elements.namedItem(first);
    if (field instanceof HTMLElement) field.focus();
  };
  const run = async (): Promise<void> => {
    if (!form.current || isBusy) return;
    const missing = findFaults(form.current);
    show(missing);
    setProblem(undefined);
    if (Object.keys(missing).length > 0) return;
    setBusy(true);
    try {
      const data = new FormData(form.current);
      await onSubmit(toValues(data), data);
      if (isReset) form.current?.reset();
    } catch (error) {
      const failed = asProblem(error);
      const refused = toFieldFaults(failed, form.current, toText);
      show(refused);
      if (Object.keys(refused).length === 0) setProblem(failed);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <FieldFaults.Provider value={faults}>{children}</FieldFaults.Provider>
      {problem && <FaultNote problem={problem} />}
      <div class="form-end">
        <button class={`button${kind}`} disabled={isDisabled} aria-disabled={isBusy}>
          {submit}
          {isBusy && <span class="spinner" aria-hidden="true" />}
        </button>
        {aside}
      </div>
    </form>
  );
}

function toValues(data: FormData): Values {
  const texts = [...data].filter((pair): pair is [string, string] => typeof pair[1] === "string");
  return Object.fromEntries(texts);
}

/** The errors of browser validation, in the words of the app. */
function findFaults(form: HTMLFormElement): Faults {
  const { faults } = words.value;
  const found: Record<string, string> = {};
  for (const field of form.elements) {
    if (!(field instanceof HTMLInputElement)) continue;
    const isMissing = field.required && field.value.trim() === "";
    if (field.validity.valid && !isMissing) continue;
    if (isMissing || field.validity.valueMissing) found[field.name] = faults.valueMissing;
    else found[field.name] = field.type === "email" ? faults.badEmail : faults.badUrl;
  }
  return found;
}

function toFieldFaults(
  problem: Problem,
  form: HTMLFormElement,
  toText: FormProps["toText"],
): Faults {
  const { faults } = words.value;
  const found: Record<string, string> = {};
  for (const fault of problem.errors) {
    const name = fault.path.slice(1);
    const field = form.elements.namedItem(name);
    // A group of boxes has no place for an error: it is shown above the button.
    if (!(field instanceof HTMLElement) || !field.hasAttribute("aria-invalid")) continue;
    const isTaken = problem.kind === "conflict" && /in use/.test(fault.message);
    found[name] = toText?.(fault, problem) ?? (isTaken ? faults.inUse : fault.message);
  }
  return found;
}

export interface FieldProps {
  name: string;
  label: string;
  hint?: string;
  /** Whether only screen readers get the label, because a heading shows it. */
  isLabelHidden?: boolean;
  type?: "text" | "email" | "password" | "date" | "datetime-local";
  /** The initial value. */
  value?: string | undefined;
  autoComplete?: string;
  inputMode?: "email" | "url" | "numeric";
  placeholder?: string;
  /** A regular expression for the full value. */
  pattern?: string;
  maxLength?: number;
  /** The id of a datalist with suggestions. */
  list?: string;
  /** Whether spell checking and capitalization are off. */
  isCode?: boolean;
  required?: boolean;
  readOnly?: boolean;
  /** The first and the last day of a date. */
  min?: string;
  max?: string;
  onChange?: (value: string) => void;
  /** Further content below the field. */
  note?: ComponentChildren;
}

/** A field with its label, hint and error. */
export function Field({
  name,
  label,
  hint,
  value,
  isCode = false,
  isLabelHidden = false,
  note,
  onChange,
  ...input
}: FieldProps) {
  const id = useId();
  const fault = useContext(FieldFaults)[name];
  return (
    <div class="field">
      <label for={id} class={isLabelHidden ? "hidden" : undefined}>
        {label}
      </label>
      <input
        {...(input as InputHTMLAttributes)}
        {...(isCode ? { spellcheck: false, autoCapitalize: "none" } : {})}
        {...describe({ id, hint, fault }, note ? `${id}-note` : undefined)}
        id={id}
        name={name}
        defaultValue={value}
        onChange={(event) => onChange?.(event.currentTarget.value)}
        aria-invalid={fault !== undefined}
      />
      <Notes id={id} hint={hint} fault={fault} />
      {note && <div id={`${id}-note`}>{note}</div>}
    </div>
  );
}

interface AreaProps {
  name: string;
  label: string;
  hint?: string;
  rows?: number;
  placeholder?: string;
  maxLength?: number;
  /** The initial value. */
  value?: string;
  /** Whether the text is prose; otherwise spell checking and capitalization are off. */
  isProse?: boolean;
  readOnly?: boolean;
}

/** A multi-line field. */
export function Area({ name, label, hint, rows = 3, value, isProse, ...more }: AreaProps) {
  const id = useId();
  const fault = useContext(FieldFaults)[name];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        {...more}
        {...describe({ id, hint, fault })}
        {...(isProse ? {} : { class: "code", spellcheck: false, autoCapitalize: "none" })}
        id={id}
        name={name}
        rows={rows}
        defaultValue={value}
        aria-invalid={fault !== undefined}
      />
      <Notes id={id} hint={hint} fault={fault} />
    </div>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  hint?: string;
  value?: string;
  onChange?: (value: string) => void;
  options: readonly (readonly [value: string, text: string])[];
}

/** A select field. */
export function Choice({ name, label, hint, value, onChange, options }: ChoiceProps) {
  const id = useId();
  const fault = useContext(FieldFaults)[name];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        {...describe({ id, hint, fault })}
        id={id}
        name={name}
        aria-invalid={fault !== undefined}
        onChange={(event) => onChange?.(event.currentTarget.value)}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one} selected={one === value}>
            {text}
          </option>
        ))}
      </select>
      <Notes id={id} hint={hint} fault={fault} />
    </div>
  );
}
