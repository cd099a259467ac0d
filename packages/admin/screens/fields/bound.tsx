import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { FieldSchema } from "../../api/field-schema.ts";
import type { Finding } from "@avow/client/operations";
import { toKeys } from "../../data/documents/pointer.ts";
import { Notes, describe } from "../../ui/forms/notes.tsx";
import { sayFinding } from "../../words/findings/say.ts";
import { editorWords } from "../../words/editor.ts";
import { useAt } from "./editing.ts";
import { FieldLock } from "./field-lock.tsx";
import { FileField } from "./file-field.tsx";
import { CommentMark } from "./open-comments.tsx";
import { RichText } from "./rich-text.tsx";

/** Longer texts get a text area. */
const LINE_LENGTH_MAX = 2_048;

interface BoundProps {
  /** A JSON pointer in the document. */
  at: string;
  label?: string;
  hint?: string | undefined;
  placeholder?: string | undefined;
  /** The language of the value. */
  lang?: string | undefined;
}

/** Fields that hold a file's id or an address. */
const fileFields = new Set(["image", "picture", "file"]);

/** An input for a field of the edited document, as its schema declares it. */
export function Bound({ at, label, hint, ...more }: BoundProps) {
  const { fields, hints, html } = editorWords.value;
  const { value, schema = {}, fault, findings, mayWrite, change } = useAt(at);
  const id = useId();
  const name = toKeys(at).at(-1) ?? "";
  const isHtml = schema.description?.startsWith("HTML") === true;
  const shown = {
    label: label ?? fields[name] ?? name,
    hint: hint ?? hints[name] ?? (isHtml ? html : undefined),
    fault,
    findings,
    at,
  };
  if (fileFields.has(name))
    return (
      <Described id={id} {...shown}>
        {(described) => <FileField described={described} at={at} isDocument={name === "file"} />}
      </Described>
    );
  if (schema.type === "boolean")
    return (
      <Described id={id} {...shown} isCheck>
        {(described) => (
          <input
            {...described}
            type="checkbox"
            checked={value === true}
            disabled={!mayWrite}
            onChange={({ currentTarget: { checked } }) => change(checked || undefined)}
          />
        )}
      </Described>
    );
  return (
    <Described id={id} {...shown}>
      {(described) => (
        <Input
          {...described}
          {...more}
          schema={schema}
          isHtml={isHtml}
          value={value}
          readOnly={!mayWrite}
          onValue={change}
        />
      )}
    </Described>
  );
}

interface InputProps {
  id: string;
  schema: FieldSchema;
  isHtml: boolean;
  value: unknown;
  readOnly: boolean;
  placeholder?: string | undefined;
  lang?: string | undefined;
  onValue: (next: unknown) => void;
}

/** An emptied field is removed, so that documents have no empty texts. */
function Input({ schema, isHtml, value, onValue, ...rest }: InputProps) {
  const isNumber = schema.type === "number" || schema.type === "integer";
  if (isNumber)
    return (
      <input
        {...rest}
        type="number"
        inputMode="numeric"
        step={schema.type === "integer" ? 1 : "any"}
        min={schema.minimum ?? schema.exclusiveMinimum}
        max={schema.maximum}
        value={typeof value === "number" ? value : ""}
        onInput={({ currentTarget: { value: typed } }) =>
          onValue(typed === "" ? undefined : Number(typed))
        }
      />
    );
  const { values } = editorWords.value;
  const text = typeof value === "string" ? value : "";
  if (isHtml)
    return <RichText {...rest} maxLength={schema.maxLength} value={text} onValue={onValue} />;
  const { maxLength, minLength = 0 } = schema;
  const onInput = ({ currentTarget }: { currentTarget: { value: string } }): void =>
    onValue(currentTarget.value === "" && minLength === 0 ? undefined : currentTarget.value);
  if (schema.enum)
    return (
      <select {...rest} disabled={rest.readOnly} value={text} onChange={onInput}>
        {!schema.enum.includes(text) && <option value="" />}
        {schema.enum.map((one) => (
          <option key={one} value={one}>
            {values[one] ?? one}
          </option>
        ))}
      </select>
    );
  if (maxLength !== undefined && maxLength > LINE_LENGTH_MAX)
    return <textarea {...rest} rows={3} maxLength={maxLength} value={text} onInput={onInput} />;
  return <input {...rest} type="text" maxLength={maxLength} value={text} onInput={onInput} />;
}

interface DescribedProps {
  id: string;
  /** A JSON pointer in the document, to show its open comments, and whether the field is locked by a template or for its sites. */
  at?: string | undefined;
  label: string;
  hint?: string | undefined;
  fault?: string | undefined;
  findings?: readonly Finding[];
  isCheck?: boolean;
  children: (described: Record<string, string | boolean> & { id: string }) => ComponentChildren;
}

/** A field with its label, hint, error and findings. */
export function Described({
  id,
  at,
  label,
  hint,
  fault,
  findings = [],
  isCheck,
  children,
}: DescribedProps) {
  const notes = { id, hint, fault };
  const input = children({
    id,
    "aria-invalid": fault !== undefined,
    ...describe(notes, findings.length > 0 ? `${id}-findings` : undefined),
  });
  return (
    <div class="field">
      {isCheck ? (
        <label class="check" for={id}>
          {input}
          <span>{label}</span>
        </label>
      ) : (
        <>
          <label for={id}>{label}</label>
          {input}
        </>
      )}
      {at !== undefined && <FieldLock at={at} label={label} />}
      {at !== undefined && <CommentMark at={at} />}
      <Notes {...notes} lang="en" />
      {findings.length > 0 && (
        <div id={`${id}-findings`}>
          <FindingNotes findings={findings} />
        </div>
      )}
    </div>
  );
}

/** Findings of the publish check, beside the field that causes them. */
export function FindingNotes({ findings }: { findings: readonly Finding[] }) {
  const { error, warning } = editorWords.value.findings;
  return (
    <>
      {findings.map((one) => {
        const { rule, severity, path, source } = one;
        const { message, fix, lang } = sayFinding(one);
        return (
          <p
            key={`${rule} ${path}`}
            class={severity === "error" ? "finding-note bad" : "finding-note warn"}
            title={source}
          >
            <strong>{severity === "error" ? error : warning}</strong>{" "}
            <span lang={lang}>
              {message} {fix}
            </span>
          </p>
        );
      })}
    </>
  );
}
