import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { FieldSchema } from "../../api/field-schema.ts";
import type { Finding } from "@avow/client/operations";
import type { Draft } from "../../data/documents/draft.ts";
import { findAt, toKeys, withAt } from "../../data/documents/pointer.ts";

/** What the fields of a form are of. */
export interface Editing {
  draft: Draft;
  schema: FieldSchema;
  /** Of the publish check, at places of this document. */
  findings: readonly Finding[];
  mayWrite: boolean;
}

export const EditingContext = createContext<Editing | undefined>(undefined);

/** What is edited here. */
export function useEditing(): Editing {
  const editing = useContext(EditingContext);
  if (!editing) throw new Error("This field stands in no editor.");
  return editing;
}

/** A value of the draft by its place, what is said of it, and the way to change it. */
export function useAt(at: string) {
  const { draft, schema, findings, mayWrite } = useEditing();
  return {
    value: findAt(draft.doc.value, at),
    schema: schemaAt(schema, at),
    fault: draft.faults.value[at],
    findings: findings.filter(({ path }) => path === at),
    mayWrite,
    change: (next: unknown): void => draft.change(withAt(draft.doc.peek(), at, next)),
  };
}

/** The schema of a place; of several forms, the one that is an object. */
export function schemaAt(schema: FieldSchema, at: string): FieldSchema | undefined {
  return toKeys(at).reduce<FieldSchema | undefined>((one, key) => {
    const whole = one?.anyOf?.find(({ type }) => type === "object") ?? one;
    if (whole?.items)
      return whole.items.anyOf?.find(({ type }) => type === "object") ?? whole.items;
    const rest = whole?.additionalProperties;
    return whole?.properties?.[key] ?? (typeof rest === "object" ? rest : undefined);
  }, schema);
}
