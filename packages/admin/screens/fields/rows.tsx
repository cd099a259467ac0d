import { type JsonObject, readObject } from "@avow/contract/json";
import { useId } from "preact/hooks";
import { Icon } from "../../ui/icons.tsx";
import { DangerLink } from "../../ui/forms/danger-link.tsx";
import { notify } from "../../ui/toast.tsx";
import { editorWords } from "../../words/editor.ts";
import { findAt, toKeys } from "../../data/documents/pointer.ts";
import { Bound, Described, FindingNotes } from "./bound.tsx";
import { schemaAt, useAt, useEditing } from "./editing.ts";
import { FieldLock } from "./field-lock.tsx";

interface RowsProps {
  at: string;
  /** The initial value of a new row. */
  blank: JsonObject;
  lang: string | undefined;
}

/** A list of objects, each with the fields that its schema declares. */
export function Rows({ at, blank, lang }: RowsProps) {
  const { fields, addRow, removeRow, rowRemoved } = editorWords.value;
  const { value, fault, findings, mayWrite, change } = useAt(at);
  const { draft, schema } = useEditing();
  const rows = Array.isArray(value) ? (value as unknown[]) : [];
  const name = toKeys(at).at(-1) ?? "";
  const names = Object.keys(schemaAt(schema, `${at}/0`)?.properties ?? {});
  const remove = (n: number): void => {
    const row = rows[n];
    change(rows.length > 1 ? rows.toSpliced(n, 1) : undefined);
    notify(rowRemoved, async () => {
      const now = findAt(draft.doc.peek(), at);
      change((Array.isArray(now) ? (now as unknown[]) : []).toSpliced(n, 0, row));
    });
  };
  return (
    <fieldset class="row-list">
      <legend>{fields[name] ?? name}</legend>
      <FieldLock at={at} label={fields[name] ?? name} />
      {fault !== undefined && (
        <p class="fault" lang="en">
          {fault}
        </p>
      )}
      <FindingNotes findings={findings} />
      {rows.map((row, n) => (
        <div key={n} class="row-item">
          {names
            .filter((field) => isPlain(row, field))
            .map((field) => (
              <Bound key={field} at={`${at}/${n}/${field}`} lang={lang} />
            ))}
          {mayWrite && <DangerLink text={removeRow} onClick={() => remove(n)} />}
        </div>
      ))}
      {mayWrite && (
        <button type="button" class="button small" onClick={() => change([...rows, blank])}>
          <Icon name="plus" />
          {addRow}
        </button>
      )}
    </fieldset>
  );
}

/** Values that are no text, such as true, have no input. */
function isPlain(row: unknown, name: string): boolean {
  const own = readObject(row)[name];
  return own === undefined || typeof own === "string";
}

/** A list of texts, one per line. */
export function Lines({ at, lang }: { at: string; lang: string | undefined }) {
  const { fields, hints, listHint } = editorWords.value;
  const { value, itemFault, findings, mayWrite, change } = useAt(at);
  const id = useId();
  const name = toKeys(at).at(-1) ?? "";
  const lines = Array.isArray(value) ? (value as string[]) : [];
  return (
    <Described
      id={id}
      at={at}
      label={fields[name] ?? name}
      hint={hints[name] ?? listHint}
      fault={itemFault}
      findings={findings}
    >
      {(described) => (
        <textarea
          {...described}
          rows={3}
          lang={lang}
          readOnly={!mayWrite}
          defaultValue={lines.join("\n")}
          onInput={({ currentTarget }) => {
            const next = currentTarget.value.split("\n").filter((line) => line.trim() !== "");
            change(next.length > 0 ? next : undefined);
          }}
        />
      )}
    </Described>
  );
}

/** The confirmation screens, each named after the answer that it confirms. */
export function Confirmations({ lang }: { lang: string | undefined }) {
  const { fields, confirmations, addRow, removeRow, rowRemoved } = editorWords.value;
  const { value, mayWrite, change } = useAt("/confirmations");
  const { draft, schema } = useEditing();
  const screens = readObject(value);
  const names = Object.keys(schemaAt(schema, "/confirmations/accept")?.properties ?? {});
  const missing = Object.entries(confirmations).filter(([name]) => !(name in screens));
  const remove = (screen: string): void => {
    const { [screen]: removed, ...rest } = screens;
    change(Object.keys(rest).length > 0 ? rest : undefined);
    notify(rowRemoved, async () => {
      const now = readObject(findAt(draft.doc.peek(), "/confirmations"));
      change({ ...now, [screen]: removed });
    });
  };
  return (
    <fieldset class="row-list">
      <legend>{fields["confirmations"]}</legend>
      {Object.keys(screens).map((screen) => (
        <fieldset key={screen} class="row-item">
          <legend>{confirmations[screen] ?? screen}</legend>
          {names.map((name) => (
            <Bound key={name} at={`/confirmations/${screen}/${name}`} lang={lang} />
          ))}
          {mayWrite && <DangerLink text={removeRow} onClick={() => remove(screen)} />}
        </fieldset>
      ))}
      {mayWrite && missing.length > 0 && (
        <div class="actions">
          {missing.map(([name, text]) => (
            <button
              key={name}
              type="button"
              class="button small"
              onClick={() => change({ ...screens, [name]: {} })}
            >
              {addRow}: {text}
            </button>
          ))}
        </div>
      )}
    </fieldset>
  );
}
