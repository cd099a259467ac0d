import { type ComponentChildren, type InputHTMLAttributes, createContext } from "preact";
import { useContext, useId, useRef, useState } from "preact/hooks";
import { type Problem } from "@avow/client/problem";
import { asProblem } from "../../api/problem.ts";
import { words } from "../../words/words.ts";
import { FaultNote } from "./faults.tsx";
import { Notes, describe } from "./notes.tsx";

type Faults = Readonly<Record<string, string>>;
/** What the form holds, by the names of its fields. */
export type Values = Readonly<Record<string, string>>;

const FieldFaults = createContext<Faults>({});

interface FormProps {
  /** What its button says. */
  submit: string;
  onSubmit: (values: Values, data: FormData) => Promise<void>;
  /** Beside the button. */
  aside?: ComponentChildren;
  isDanger?: boolean;
  /** Whether its button stands back behind another one of the screen. */
  isPlain?: boolean;
  /** Whether it is emptied once it was taken. */
  isReset?: boolean;
  /** What the service says of a field, in the words of the app. */
  toText?: (fault: { path: string; message: string }, problem: Problem) => string | undefined;
  children?: ComponentChildren;
}

/**
 * A form: checks its fields, says beside each what is wrong with it, and waits for `onSubmit`. What was
 * typed stays whatever happens. Fields are told by their names, which are those of the interface.
 */
export function Form(props: FormProps) {
  const { submit, onSubmit, aside, isDanger, isPlain, isReset, toText, children } = props;
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
      const said = toFieldFaults(failed, form.current, toText);
      show(said);
      if (Object.keys(said).length === 0) setProblem(failed);
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
        <button class={`button${kind}`} aria-disabled={isBusy}>
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

/** What the browser finds wrong with the fields, in the words of the app. */
function findFaults(form: HTMLFormElement): Faults {
  const { faults } = words.value;
  const found: Record<string, string> = {};
  for (const field of form.elements) {
    if (!(field instanceof HTMLInputElement) || field.validity.valid) continue;
    const { valueMissing } = field.validity;
    if (valueMissing) found[field.name] = faults.valueMissing;
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
    if (!form.elements.namedItem(name)) continue;
    const isTaken = problem.kind === "conflict" && /in use/.test(fault.message);
    found[name] = toText?.(fault, problem) ?? (isTaken ? faults.inUse : fault.message);
  }
  return found;
}

interface FieldProps {
  name: string;
  label: string;
  hint?: string;
  /** Where a heading says it already, readers of the page alone are told. */
  isLabelHidden?: boolean;
  type?: "text" | "email" | "password" | "date" | "datetime-local";
  /** What it holds at first. */
  value?: string | undefined;
  autoComplete?: string;
  inputMode?: "email" | "url" | "numeric";
  placeholder?: string;
  /** A regular expression for the whole of it. */
  pattern?: string;
  maxLength?: number;
  /** Neither corrected nor begun with a capital letter. */
  isCode?: boolean;
  required?: boolean;
  readOnly?: boolean;
  /** What else is said of it, below it. */
  note?: ComponentChildren;
}

/** A field with its label, what helps to fill it in, and what is wrong with it. */
export function Field({
  name,
  label,
  hint,
  value,
  isCode = false,
  isLabelHidden = false,
  note,
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
  /** What it holds at first. */
  value?: string;
  /** Written as people write to each other; else as code is: neither corrected nor begun with a capital letter. */
  isProse?: boolean;
  readOnly?: boolean;
}

/** A field of several lines. */
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
  value?: string;
  onChange?: (value: string) => void;
  options: readonly (readonly [value: string, text: string])[];
}

/** One of several, from a list. */
export function Choice({ name, label, value, onChange, options }: ChoiceProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name} onChange={(event) => onChange?.(event.currentTarget.value)}>
        {options.map(([one, text]) => (
          <option key={one} value={one} selected={one === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
