import { isDeepStrictEqual } from "node:util";
import { type JsonObject, isObject } from "@avow/contract/json";
import { lists } from "@avow/contract/published";
import type { FieldFault } from "../../../platform/errors.ts";
import type { Resource } from "./resources.ts";

/** The service's own fields that lists can be filtered and sorted by. */
export const listedFields: ReadonlySet<string> = new Set([
  "_id",
  "id",
  "createdAt",
  "createdBy",
  "updatedAt",
  "updatedBy",
  "version",
]);
/** All fields that the service adds. */
export const serviceFields: ReadonlySet<string> = new Set([...listedFields, "links", "warnings"]);

/**
 * The member of a stored body with the client's own fields whose names the service uses itself (wire section 9), such as
 * its own `version`.
 */
export const CLIENT_FIELDS = "_client";

/** Fields with the name of a service field that are published under their own name, since a published file has none. */
export const releasedFields: ReadonlySet<string> = new Set([
  "createdAt",
  "updatedAt",
  "version",
  "links",
  "warnings",
  CLIENT_FIELDS,
]);

/**
 * Fields about the customer's account, which are not for visitors, and fields that publishing itself writes. Any document
 * can contain them, since the vault keeps unknown fields.
 */
export const privateFields = new Set([
  "_id",
  "id",
  "assumed",
  "billing",
  "createdBy",
  "identifier",
  "metadata",
  "openFields",
  "organizationId",
  "permissions",
  "projectId",
  "rights",
  "roles",
  "updatedBy",
  "users",
]);

/** Fields of rights and billing, left out at every depth: no customer's design uses these names. */
export const rightsFields = new Set(["billing", "rights", "roles", "users"]);

/** Resources whose bodies are published apart from private fields. */
const publishedResources = new Set<string>([...Object.values(lists), "dpo", "vendors"]);
/** Fields of a project that a published file contains. */
const publishedOfProject = new Set([
  "title",
  "colors",
  "fonts",
  "widgetStyle",
  "overlayStyle",
  "DPO",
  "privacypolicy",
]);

/** Whether a published file contains a field of this name at the top of a document. */
export function isPublished({ name: resource }: Pick<Resource, "name">, name: string): boolean {
  if (resource === "projects") return publishedOfProject.has(name);
  return publishedResources.has(resource) && !privateFields.has(name);
}

/** Fields that a write adds or changes and that a published file leaves out: the vault keeps them. */
export function findUnpublished(
  resource: Resource,
  body: JsonObject,
  before: JsonObject = {},
): FieldFault[] {
  const changed = Object.entries(body).filter(
    ([name, value]) => name !== CLIENT_FIELDS && !isDeepStrictEqual(value, before[name]),
  );
  return changed
    .flatMap(([name, value]) => listLeftOut(resource, name, value))
    .map((path) => ({ path, message: "is kept in the vault, but not published." }));
}

function listLeftOut(resource: Resource, name: string, value: unknown): string[] {
  const path = `/${toToken(name)}`;
  const isKnown = name in resource.schema.properties;
  // The TCF settings are published as an excerpt of the vendor list.
  if (resource.name === "projects" || resource.name === "tcf")
    return isKnown || isPublished(resource, name) ? [] : [path];
  if (!publishedResources.has(resource.name) || (isKnown && privateFields.has(name))) return [];
  return privateFields.has(name) ? [path] : listRights(value, path);
}

function listRights(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((one, at) => listRights(one, `${path}/${at}`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = `${path}/${toToken(name)}`;
    return rightsFields.has(name) ? [here] : listRights(inner, here);
  });
}

/** A name as part of a JSON pointer (RFC 6901). */
function toToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
