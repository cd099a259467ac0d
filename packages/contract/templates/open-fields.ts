import { type JsonObject, isObject } from "../json.ts";

/**
 * A field of a document as a JSON pointer (RFC 6901). In a list, a part is the `name` of an item instead of its index, so that a
 * pointer stays valid when items move: `/steps/marketing/message`.
 */
export type FieldPointer = string;

/** Fields of a site's documents that no template sets, by resource. */
const siteFields: Readonly<Record<string, readonly FieldPointer[]>> = {
  projects: ["/title", "/websiteURL", "/organizationId", "/groups", "/templateId", "/isTemplate"],
};
const siteFieldsOfAll: readonly FieldPointer[] = ["/projectId", "/openFields", "/_client"];

const officerFields = ["/title", "/fullname", "/organization", "/email", "/address"];

/** The open fields of a template's document without `openFields`, by resource: those that name the site's operator. */
const openByDefault: Readonly<Record<string, readonly FieldPointer[]>> = {
  projects: ["/DPO", "/dataProcessor", "/privacypolicy", "/documents"],
  dpo: officerFields,
  tcf: ["/publisherCC"],
};

/** The fields that a site may change in its copy of a template's document. */
export function openFieldsOf(resource: string, template: JsonObject): readonly FieldPointer[] {
  const { openFields } = template;
  if (!Array.isArray(openFields)) return openByDefault[resource] ?? [];
  return openFields.filter((one) => typeof one === "string");
}

/** The fields of a document that a template never sets. */
export function siteFieldsOf(resource: string): readonly FieldPointer[] {
  return [...siteFieldsOfAll, ...(siteFields[resource] ?? [])];
}

/** Whether a field is one of `fields` or inside of one. */
export function isWithin(field: FieldPointer, fields: readonly FieldPointer[]): boolean {
  return fields.some((one) => field === one || field.startsWith(`${one}/`));
}

/** The value of a field; undefined where it is missing. */
export function readField(body: JsonObject, field: FieldPointer): unknown {
  return toKeys(field).reduce<unknown>(readMember, body);
}

/**
 * The body with another value of a field; undefined removes it. Objects on the way are added, and those that a removal
 * leaves empty are removed. Items of lists are not added, and keep their place.
 */
export function withField(body: JsonObject, field: FieldPointer, value: unknown): JsonObject {
  return (withMember(body, toKeys(field), value) ?? {}) as JsonObject;
}

/** The body without fields, to compare the others. */
export function withoutFields(body: JsonObject, fields: readonly FieldPointer[]): JsonObject {
  return fields.reduce((rest, field) => withField(rest, field, undefined), body);
}

function toKeys(field: FieldPointer): string[] {
  return field
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function readMember(container: unknown, key: string): unknown {
  if (Array.isArray(container)) return container[findItem(container, key)];
  return isObject(container) && Object.hasOwn(container, key) ? container[key] : undefined;
}

function findItem(list: readonly unknown[], name: string): number {
  return list.findIndex((item) => isObject(item) && item["name"] === name);
}

function withMember(container: unknown, keys: readonly string[], value: unknown): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  if (Array.isArray(container)) {
    const at = findItem(container, key);
    if (at === -1) return container;
    const item = withMember(container[at], rest, value) ?? { name: key };
    return container.map((one: unknown, index) => (index === at ? item : one));
  }
  if (container !== undefined && !isObject(container)) return container;
  const next = withMember(readMember(container, key), rest, value);
  const others = Object.entries(container ?? {}).filter(([name]) => name !== key);
  if (next === undefined) return others.length > 0 ? Object.fromEntries(others) : undefined;
  // Keeps the place of a member, since the order of keys is stored.
  const members = Object.entries(container ?? {}).map(([name, one]) => [
    name,
    name === key ? next : one,
  ]);
  return Object.fromEntries(
    others.length < members.length ? members : [...members, [key, next]],
  ) as JsonObject;
}
