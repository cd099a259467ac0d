import type { JsonObject } from "@avow/contract/json";
import {
  type Contract,
  type CookieConfiguration,
  type Processing,
  type Project,
  deleteContract,
  deleteCookieConfiguration,
  deleteProcessing,
  getContract,
  getCookieConfiguration,
  getProcessing,
  getProject,
  listContracts,
  listCookieConfigurations,
  listProcessings,
  patchContract,
  patchCookieConfiguration,
  patchProcessing,
  patchProject,
} from "@avow/client/operations";
import { sendWhole } from "../../api/send.ts";

/** The operations of editable documents, by the vault's resource. */
const operations = {
  cookies: [getCookieConfiguration, patchCookieConfiguration],
  processings: [getProcessing, patchProcessing],
  contracts: [getContract, patchContract],
  projects: [getProject, patchProject],
} as const;
const lists = {
  cookies: listCookieConfigurations,
  processings: listProcessings,
  contracts: listContracts,
} as const;
const deletions = {
  cookies: deleteCookieConfiguration,
  processings: deleteProcessing,
  contracts: deleteContract,
} as const;

export type DocumentKind = keyof typeof operations;
export type ConfigurationKind = keyof typeof lists;

/** A document with its own fields and those of the service. */
export type Doc = JsonObject & { readonly id: string };
type Any = CookieConfiguration | Processing | Contract | Project;

/** A version of a document with its entity tag. */
export interface Version {
  doc: Doc;
  etag: string;
}

/** @throws Problem */
export async function readDocument(kind: DocumentKind, id: string): Promise<Version> {
  const [get] = operations[kind];
  return toVersion(await sendWhole<{ path: { documentId: string } }, Any>(get, toPath(id)));
}

/** Updates a version by a merge patch (RFC 7396). @throws Problem with status 412 if a newer version exists */
export async function patchDocument(
  kind: DocumentKind,
  { doc, etag }: Version,
  body: JsonObject,
): Promise<Version> {
  const [, patch] = operations[kind];
  const given = { ...toPath(doc.id), body, ifMatch: etag };
  return toVersion(await sendWhole<PatchIn, Any>(patch, given));
}

interface PatchIn {
  path: { documentId: string };
  body: { [name: string]: unknown };
}
interface ListIn {
  query?: { perPage?: number; sort?: string };
}
const LISTED_MAX = 1_000;

/** All configurations of a project, up to the maximum page size. @throws Problem */
export async function listDocuments(kind: ConfigurationKind, projectId: string): Promise<Doc[]> {
  const given = { query: { perPage: LISTED_MAX, sort: "createdAt" }, filter: { projectId } };
  return (await sendWhole<ListIn, Any[]>(lists[kind], given)).body;
}

/** @throws Problem */
export async function deleteDocument(kind: ConfigurationKind, id: string): Promise<void> {
  await sendWhole(deletions[kind], toPath(id));
}

function toPath(documentId: string) {
  return { path: { documentId } };
}

function toVersion({ body, headers }: { body: Any; headers: Headers }): Version {
  return { doc: body, etag: headers.get("etag") ?? "" };
}

/** The fields that the service adds to every document. */
const serviceFields = new Set(
  "_id id createdAt createdBy updatedAt updatedBy version links warnings active billing metadata".split(
    " ",
  ),
);

/** The document without the service's fields. */
export function toOwn(doc: Doc): JsonObject {
  return Object.fromEntries(Object.entries(doc).filter(([name]) => !serviceFields.has(name)));
}
