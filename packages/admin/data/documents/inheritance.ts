import { isObject } from "@avow/contract/json";
import { type FieldPointer, isWithin, openFieldsOf } from "@avow/contract/open-fields";
import { getInheritance, resetInheritedDocument } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import type { Doc } from "./documents.ts";
import type { Draft } from "./draft.ts";
import { findAt, toKeys, toPlace, withAt } from "./pointer.ts";

/** The relation of a project's documents to templates, as an editor needs it. */
export type Inheritance =
  | { kind: "template" }
  | {
      kind: "site";
      projectId: string;
      template: { id: string; title: string };
      /** The documents that the site has from the template, by id. */
      documents: ReadonlyMap<string, InheritedDocument>;
    };

interface InheritedDocument {
  openFields: readonly FieldPointer[];
  overrides: readonly FieldPointer[];
}

/** Undefined for a project that neither is a template nor follows one. @throws Problem */
export async function readInheritance(project: Doc): Promise<Inheritance | undefined> {
  if (project["isTemplate"] === true) return { kind: "template" };
  if (typeof project["templateId"] !== "string") return undefined;
  const { id: projectId } = project;
  const { template, documents } = await send(getInheritance, { path: { projectId } });
  const byId = new Map(documents.map((one) => [one.id, one]));
  return { kind: "site", projectId, template, documents: byId };
}

/** The state of a field: open or locked, in a template for its sites, and in a site by its template. */
export type FieldState =
  | { kind: "template"; field: FieldPointer; isOpen: boolean; isExact: boolean }
  | { kind: "site"; field: FieldPointer; isOpen: boolean; isOwn: boolean; title: string };

/** The state of a field of a draft; undefined for a document without inheritance. */
export function findFieldState(
  inheritance: Inheritance | undefined,
  draft: Draft,
  at: string,
): FieldState | undefined {
  if (!inheritance) return undefined;
  const doc = draft.doc.value;
  const field = toFieldPointer(doc, at);
  if (inheritance.kind === "template") {
    const open = openFieldsOf(draft.kind, doc);
    return {
      kind: "template",
      field,
      isOpen: isWithin(field, open),
      isExact: open.includes(field),
    };
  }
  const document = inheritance.documents.get(draft.id);
  if (!document) return undefined;
  return {
    kind: "site",
    field,
    isOpen: isWithin(field, document.openFields),
    isOwn: isWithin(field, document.overrides),
    title: inheritance.template.title,
  };
}

/** The open fields after a field is opened, or locked if it is one of them. Either is for all of the field. */
export function toggleOpen(
  open: readonly FieldPointer[],
  field: FieldPointer,
): readonly FieldPointer[] {
  const others = open.filter((one) => !isWithin(one, [field]));
  return open.includes(field) ? others : [...others, field];
}

/** Opens or locks a field of a template's document for its sites. */
export function toggleField(draft: Draft, field: FieldPointer): void {
  const doc = draft.doc.peek();
  const openFields = toggleOpen(openFieldsOf(draft.kind, doc), field);
  draft.change(withAt(doc, "/openFields", openFields));
}

/** Gives a field the template's value again: the open field that it is in. @throws Problem */
export async function resetField(
  { projectId, documents }: Extract<Inheritance, { kind: "site" }>,
  draft: Draft,
  field: FieldPointer,
): Promise<void> {
  await draft.flush();
  const { overrides = [] } = documents.get(draft.id) ?? {};
  const fields = overrides.filter((one) => isWithin(field, [one]));
  await send(resetInheritedDocument, { path: { projectId, documentId: draft.id }, body: { fields } });
}

/**
 * The pointer of a field for templates, which has names of list items instead of indexes. A field in a list whose items
 * have no names is the list.
 */
function toFieldPointer(doc: Doc, at: string): FieldPointer {
  const keys = toKeys(at);
  const named: string[] = [];
  for (const [depth, key] of keys.entries()) {
    const container = findAt(doc, toPlace(...keys.slice(0, depth)));
    if (!Array.isArray(container)) named.push(key);
    else {
      const item: unknown = container[Number(key)];
      const name = isObject(item) ? item["name"] : undefined;
      if (typeof name !== "string" || name === "") break;
      named.push(name);
    }
  }
  return toPlace(...named);
}
