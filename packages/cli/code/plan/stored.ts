import type { Client } from "@avow/client";
import {
  type Operation,
  getExtendedProject,
  listOrganizations,
  listProjects,
  listVaultVendors,
} from "@avow/client/operations";
import { type JsonObject, readObjects, readText } from "@avow/contract/json";
import { CommandError } from "../../terminal/errors.ts";
import { type Kind, type WireDocument, getKind, kinds } from "../files/kinds.ts";
import { toFileValue } from "../files/schemas.ts";
import { type VendorNames, toVendorNames, withVendorNames } from "./references.ts";

const PER_PAGE = 200;

/** A stored document, with its fields as a file has them. */
export interface StoredDocument {
  kind: Kind;
  id: string;
  version: number;
  value: JsonObject;
  name: string;
  language: string | undefined;
}

/** A project of the service with its documents, oldest first. */
export interface StoredProject {
  id: string;
  organizationId: string | null;
  project: StoredDocument;
  documents: StoredDocument[];
  vendorNames: VendorNames;
}

const serviceFields = new Set(
  "_id id createdAt createdBy updatedAt updatedBy version links warnings collection projectId organizationId".split(
    " ",
  ),
);
const projectFields = new Set(["name", "active", "metadata", "billing", "templateId"]);

export async function readProject(
  client: Client,
  projectId: string,
  shared: readonly StoredDocument[],
  signal: AbortSignal,
): Promise<StoredProject> {
  const input = { query: { projectId } };
  const extended = await client.send(getExtendedProject, input, { signal });
  const { configurations, organizationId = null, ...project } = extended;
  const vendors = await listAll(client, listVaultVendors, { projectId }, signal);
  const own = vendors.map((one) => toStored(getKind("vendor"), one, new Map()));
  const names = toVendorNames([...own, ...shared]);
  const documents = readObjects(configurations).flatMap((one) => {
    const kind = kinds.find(({ resource }) => resource === one["collection"]);
    return kind && kind.kind !== "vendor" ? [toStored(kind, one as WireDocument, names)] : [];
  });
  return {
    id: projectId,
    organizationId,
    project: toStored(getKind("project"), project, names),
    documents: [...own, ...documents.map((one) => withVariantName(one, documents))],
    vendorNames: names,
  };
}

/** The vendors of an organization itself. */
export async function readSharedVendors(
  client: Client,
  organizationId: string | null,
  signal: AbortSignal,
): Promise<StoredDocument[]> {
  if (organizationId === null) return [];
  const all = await listAll(client, listVaultVendors, { organizationId }, signal);
  return all
    .filter(({ projectId }) => typeof projectId !== "string")
    .map((one) => toStored(getKind("vendor"), one, new Map()));
}

/** All projects that the caller sees, or those of an organization. */
export function listStoredProjects(
  client: Client,
  organizationId: string | undefined,
  signal: AbortSignal,
): Promise<WireDocument[]> {
  const filter = organizationId === undefined ? {} : { organizationId };
  return listAll(client, listProjects, filter, signal);
}

export function listStoredOrganizations(
  client: Client,
  signal: AbortSignal,
): Promise<WireDocument[]> {
  return listAll(client, listOrganizations, {}, signal);
}

async function listAll(
  client: Client,
  operation: unknown,
  filter: Record<string, string>,
  signal: AbortSignal,
): Promise<WireDocument[]> {
  type Query = { query?: { page?: number; perPage?: number } };
  const list = operation as Operation<Query, WireDocument[]>;
  const all: WireDocument[] = [];
  for (let page = 1; ; page += 1) {
    const input = { query: { page, perPage: PER_PAGE }, filter };
    const items = await client.send(list, input, { signal });
    all.push(...items);
    if (items.length < PER_PAGE) return all;
  }
}

export function toStored(kind: Kind, document: WireDocument, names: VendorNames): StoredDocument {
  const own = Object.entries(document).filter(
    ([name]) => !serviceFields.has(name) && !(kind.kind === "project" && projectFields.has(name)),
  );
  const body = withVendorNames(kind, Object.fromEntries(own), names);
  const value = toFileValue(kind.schema, body) as JsonObject;
  const { language } = value;
  const name = kind.identity === undefined ? undefined : value[kind.identity];
  return {
    kind,
    id: document.id,
    version: document.version,
    value,
    name: typeof name === "string" ? name : kind.identity === undefined ? kind.file : document.id,
    language: typeof language === "string" ? language : undefined,
  };
}

/** A variant names its original by name in files, so that they work in other projects. */
function withVariantName(stored: StoredDocument, all: readonly StoredDocument[]): StoredDocument {
  const settings = stored.value["settings"] as { variantOf?: unknown } | undefined;
  const original = all.find(({ id, kind }) => kind === stored.kind && id === settings?.variantOf);
  if (!original) return stored;
  return {
    ...stored,
    value: { ...stored.value, settings: { ...settings, variantOf: original.name } },
  };
}

/** The one project of a list. @throws CommandError that lists them otherwise */
export function getOnly(
  found: readonly WireDocument[],
  { noun, option }: { noun: string; option: string },
): WireDocument {
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  const lines = found
    .slice(0, 20)
    .map(({ id, title, name }) => `  ${id}  ${readText(title) ?? readText(name) ?? ""}`);
  const count = found.length === 0 ? `There is no ${noun} that you may see.` : `Choose a ${noun}:`;
  throw new CommandError([`${count} Pass ${option}.`, ...lines].join("\n"));
}
