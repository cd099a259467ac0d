import { type JsonObject, isObject, readObject } from "@avow/contract/json";
import type { FieldFault } from "../../../platform/errors.ts";
import { joinNames, toTitled } from "./aliases.ts";
import { CLIENT_FIELDS, isPublished, serviceFields } from "./client-fields.ts";
import type { Resource } from "./resources.ts";

/** The stored document that a write changes. */
interface Present {
  id: string;
  body: JsonObject;
  version: number;
  created_at: Date;
  created_by: string;
  updated_at: Date;
  updated_by: string;
  live_version: number | null;
}

/** The document's own fields in a request's body, and what the write does to the others. */
export interface Input {
  body: JsonObject;
  warnings: FieldFault[];
}

/**
 * Separates a document's own fields from the service's, which a client sends back as it read them and which are left
 * out. The client's own fields of the same names are kept in `_client` (wire section 9). A project's `name` becomes its
 * title. In a merge patch, null removes.
 */
export function readInput(
  resource: Resource,
  input: JsonObject,
  { present, isPatch = false }: { present: Present | undefined; isPatch?: boolean },
): Input {
  const body: Record<string, unknown> = {};
  const own: Record<string, unknown> = {};
  const warnings: FieldFault[] = [];
  const titled = resource.name === "projects" ? toTitled(input) : input;
  const read = toReading(resource, titled, present);
  for (const [name, value] of Object.entries(titled)) {
    if (!isReserved(resource, name, value)) body[name] = value;
    else if (value === null) {
      if (isPatch && name in readObject(present?.body[CLIENT_FIELDS])) own[name] = null;
    } else if (!isRead(read, name, value)) {
      own[name] = value;
      warnings.push({ path: `/${name}`, message: toNotice(resource, name) });
    }
  }
  if (Object.keys(own).length > 0)
    body[CLIENT_FIELDS] = { ...readObject(body[CLIENT_FIELDS]), ...own };
  if (resource.name !== "organizations") return { body, warnings };
  const joined = joinNames(body, present?.body);
  return { body: joined.body, warnings: [...warnings, ...joined.warnings] };
}

/** Whether the service uses a field's name itself. `_client` holds fields, so another value is a field of that name. */
function isReserved({ readOnly }: Resource, name: string, value: unknown): boolean {
  if (name === CLIENT_FIELDS) return !isObject(value) && value !== null;
  return serviceFields.has(name) || readOnly.includes(name);
}

function toNotice(resource: Resource, name: string): string {
  const published = isPublished(resource, name) ? `, and published as \`${name}\`` : "";
  return `is a field of the service: yours is kept as \`${CLIENT_FIELDS}.${name}\`${published}.`;
}

/** The document whose fields a body may contain as they were read. */
interface Reading {
  resource: Resource;
  /** The stored document. */
  present: Present | undefined;
  /** The id in the body, if the body is a document as the service returned it. */
  id: string | undefined;
  /** The title of a project in the body. */
  title: unknown;
}

function toReading(resource: Resource, input: JsonObject, present: Present | undefined): Reading {
  const ids = [input["_id"], input["id"], toLinkedId(resource, input["links"])];
  // Without a stored document, only the links show that it was read, of another document or another installation.
  const id = ids.find((one) =>
    present ? one === present.id : one !== undefined && one === ids[2],
  );
  return { resource, present, id: id as string | undefined, title: input["title"] };
}

/** The id in the link of a document to itself. */
function toLinkedId({ path }: Resource, links: unknown): string | undefined {
  const { self } = readObject(links);
  if (typeof self !== "string") return undefined;
  const [, id] = /\/([0-9a-f]{24})$/.exec(self) ?? [];
  return id !== undefined && self.endsWith(`${path}/${id}`) ? id : undefined;
}

/** Whether a value is the service's own, as the client read it, maybe in an earlier version of the document. */
function isRead(reading: Reading, name: string, value: unknown): boolean {
  const { resource, present, id, title } = reading;
  const isCopy = present === undefined && id !== undefined;
  switch (name) {
    case "_id":
    case "id":
      return value === (present?.id ?? id);
    case "links":
      return id !== undefined && toLinkedId(resource, value) === id;
    case "createdAt":
      return value === present?.created_at.toISOString() || (isCopy && isInstant(value));
    case "createdBy":
      return value === present?.created_by || (isCopy && typeof value === "string");
    case "updatedAt":
      return (
        value === present?.updated_at.toISOString() ||
        (id !== undefined && isInstant(value) && !isAfter(value, present?.updated_at))
      );
    case "updatedBy":
      return value === present?.updated_by || (id !== undefined && typeof value === "string");
    case "version":
      return isReadVersion(reading, value);
    case "warnings":
      return isWarnings(value);
    default:
      return resource.name === "projects" && isReadOfProject({ present, id, title }, name, value);
  }
}

/** A client whose own version is stored sends a number of its own, unless it sends the whole document back. */
function isReadVersion({ present, id }: Reading, value: unknown): boolean {
  if (!isVersion(value)) return false;
  if (!present) return id !== undefined;
  if (id !== undefined) return value <= present.version;
  return value === present.version && !("version" in readObject(present.body[CLIENT_FIELDS]));
}

function isReadOfProject(
  { present, id, title }: Pick<Reading, "present" | "id" | "title">,
  name: string,
  value: unknown,
): boolean {
  switch (name) {
    case "name":
      return value === title || (present !== undefined && value === present.body["title"]);
    case "active":
      return (
        typeof value === "boolean" &&
        (id !== undefined || (present !== undefined && value === (present.live_version !== null)))
      );
    case "billing":
      return (
        hasOnly(value, ["plan", "subscription", "customer"]) &&
        (id !== undefined || "plan" in readObject(value))
      );
    case "metadata":
      return hasOnly(value, ["lastPublishedAt"]);
    default:
      return false;
  }
}

function isVersion(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1;
}

function isInstant(value: unknown): value is string {
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);
}

function isAfter(instant: string, other: Date | undefined): boolean {
  return other !== undefined && Date.parse(instant) > other.getTime();
}

function isWarnings(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((one) => {
      const { path, message } = readObject(one);
      return typeof path === "string" && typeof message === "string";
    })
  );
}

function hasOnly(value: unknown, names: readonly string[]): boolean {
  return isObject(value) && Object.keys(value).every((name) => names.includes(name));
}
