import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { FieldSchema } from "../../api/field-schema.ts";
import type { Finding } from "@avow/client/operations";
import type { Draft } from "../../data/documents/draft.ts";
import { type Inheritance, findFieldState } from "../../data/documents/inheritance.ts";
import { findAt, toKeys, withAt } from "../../data/documents/pointer.ts";

/** The context of the fields of a form. */
export interface Editing {
  draft: Draft;
  schema: FieldSchema;
  /** Findings of the publish check, with paths in this document. */
  findings: readonly Finding[];
  mayWrite: boolean;
  /** Undefined for a project that neither is a template nor follows one. */
  inheritance?: Inheritance | undefined;
  /** Reads the documents again. */
  reload?: () => void;
}

export const EditingContext = createContext<Editing | undefined>(undefined);

/** The editing context. @throws Error outside an editor */
export function useEditing(): Editing {
  const editing = useContext(EditingContext);
  if (!editing) throw new Error("This field is outside an editor.");
  return editing;
}

/** The value at a JSON pointer, its schema, error and findings, and a setter. */
export function useAt(at: string) {
  const { draft, schema, findings } = useEditing();
  const mayWrite = useMayWrite(at);
  return {
    value: findAt(draft.doc.value, at),
    schema: schemaAt(schema, at),
    fault: draft.faults.value[at],
    /** The error of the value or of one of its items. */
    itemFault: Object.entries(draft.faults.value).find(([path]) =>
      `${path}/`.startsWith(`${at}/`),
    )?.[1],
    findings: findings.filter(({ path }) => path === at),
    mayWrite,
    change: (next: unknown): void => draft.change(withAt(draft.doc.peek(), at, next)),
  };
}

/** Whether the user may write the value at a JSON pointer, which a template may have locked. */
export function useMayWrite(at: string): boolean {
  const { draft, inheritance, mayWrite } = useEditing();
  const state = findFieldState(inheritance, draft, at);
  return mayWrite && !(state?.kind === "site" && !state.isOpen);
}

/** The schema at a JSON pointer; of alternatives, the object. */
export function schemaAt(schema: FieldSchema, at: string): FieldSchema | undefined {
  return toKeys(at).reduce<FieldSchema | undefined>((one, key) => {
    const whole = one?.anyOf?.find(({ type }) => type === "object") ?? one;
    if (whole?.items)
      return whole.items.anyOf?.find(({ type }) => type === "object") ?? whole.items;
    const rest = whole?.additionalProperties;
    return whole?.properties?.[key] ?? (typeof rest === "object" ? rest : undefined);
  }, schema);
}
