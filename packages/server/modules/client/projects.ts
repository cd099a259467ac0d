import { createHash } from "node:crypto";
import { type Bodies, type Project, isDocumentOf } from "@avow/contract/configuration";
import { type JsonObject } from "@avow/contract/json";
import { hrefOf, paths } from "@avow/contract/urls";
import type { NamedEntry } from "../consents/states/token-state.ts";
import type { Tier } from "../vault/documents/tiers.ts";
import { documentHref, isActive, toDocument } from "../vault/documents/documents.ts";
import { isGivenName } from "../vault/documents/names.ts";
import type { DocumentRow, ProjectRow } from "../vault/documents/access.ts";
import type { Form } from "./store.ts";
import type { ClientProjectOut, DocumentOut, ProcessingActivityOut } from "./schema.ts";

type EntryField = "documents" | "processingActivities";
type FormOf<R extends "contracts" | "processings"> = Form & { body: Bodies[R] };

interface View {
  publicUrl: string;
  tier: Tier | undefined;
  /** The project's contracts and processings. */
  forms: readonly Form[];
  /** Whether the reader may read the project itself; an auditor reads proofs only (wire section 2). */
  isReadable: boolean;
}

/** A project in the shape of the Client API (specification; wire section 5). */
export function toClientProject(
  row: ProjectRow,
  { publicUrl, tier, forms, isReadable }: View,
): ClientProjectOut {
  const { body, id } = row;
  const configuration = toDocument(row, { publicUrl, tier });
  const own = (field: EntryField) => withoutForms(entriesOf(body[field]), forms);
  return {
    _id: id,
    id,
    active: isActive(row, tier),
    configuration: isReadable ? configuration : toIdentity(configuration),
    name: body.title,
    website: body.websiteURL,
    dataProcessor: body.dataProcessor ?? null,
    documents: [
      ...own("documents"),
      ...forms.filter((form) => isDocumentOf(form, "contracts")).map(toContractDocument),
    ],
    processingActivities: [
      ...own("processingActivities"),
      ...forms.filter((form) => isDocumentOf(form, "processings")).map(toProcessingActivity),
    ],
    links: linksOf(row, publicUrl, isReadable),
  };
}

/** The fields that identify a project. */
function toIdentity(project: JsonObject): JsonObject {
  const names = ["_id", "id", "title", "name", "websiteURL", "metadata"];
  return Object.fromEntries(names.map((name) => [name, project[name]]));
}

function linksOf(row: DocumentRow, publicUrl: string, isReadable: boolean): Record<string, string> {
  const { id } = row;
  // A project has a latest job only after its first publication; the list of jobs always exists.
  const publish = row.published_at
    ? hrefOf(publicUrl, paths.publishJob, { id })
    : hrefOf(publicUrl, paths.publishJobs, {}, { projectId: id });
  return {
    self: hrefOf(publicUrl, paths.clientProject, { id }),
    tokens: hrefOf(publicUrl, paths.clientTokens, { id }),
    consents: hrefOf(publicUrl, paths.consents, { projectId: id }),
    accepted: hrefOf(publicUrl, paths.clientAccepted, { id }),
    ...(isReadable ? { configuration: documentHref(publicUrl, row), publish } : {}),
  };
}

/** The entity tag of a project in the Client API, which also changes with the project's configurations. */
export function toClientEtag(project: ClientProjectOut): string {
  const { warnings: _warnings, ...read } = project;
  const digest = createHash("sha256").update(JSON.stringify(read)).digest("base64url");
  return `"${digest.slice(0, 22)}"`;
}

function toContractDocument({ id, body, created_at }: FormOf<"contracts">): DocumentOut {
  const { file, language } = body;
  return {
    identifier: id,
    name: (!isGivenName(id, body) && body.name) || body.title || "",
    ...(language !== undefined && { language }),
    ...(file !== undefined && { file: toFile(file, created_at) }),
  };
}

/** `file` is an address or the id of an asset (wire section 2). */
function toFile(file: string, uploadedAt: Date): NonNullable<DocumentOut["file"]> {
  const url = URL.parse(file);
  const segment = url?.pathname.split("/").findLast((part) => part !== "");
  return {
    originalName: url ? decodeSegment(segment ?? url.hostname) : file,
    ...(url ? { url: file } : {}),
    uploadedAt: uploadedAt.toISOString(),
  };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // A stray % in an address: return it unchanged.
    return segment;
  }
}

function toProcessingActivity({ id, body }: FormOf<"processings">): ProcessingActivityOut {
  const { title = "", language, personalDataTypes = [], processors = [], accept } = body;
  const { consentWithdraw: consentWithdrawProcedure } = body;
  return {
    identifier: id,
    name: title,
    ...(language !== undefined && { language }),
    personalDataTypes,
    dataTransferThirdParties: processors,
    ...(consentWithdrawProcedure !== undefined && { consentWithdrawProcedure }),
    ...(accept !== undefined && { accept }),
  };
}

/** Entries without those that are the project's configurations, which the vault stores as documents. */
export function withoutForms<T extends { identifier?: string }>(
  entries: readonly T[],
  forms: readonly Form[],
): T[] {
  const ids = new Set(forms.map((form) => form.id));
  return entries.filter(({ identifier }) => identifier === undefined || !ids.has(identifier));
}

/** The entries in a project's body that have an identifier. */
function entriesOf(entries: Project[EntryField] = []): DocumentOut[] {
  return entries.filter(
    (entry): entry is DocumentOut & JsonObject => typeof entry["identifier"] === "string",
  );
}

/** The documents and processings in the project's own fields, without its configurations. */
export function listNamedEntries({ body }: Pick<ProjectRow, "body">): NamedEntry[] {
  const entries = (field: EntryField, collection: NamedEntry["collection"]) =>
    entriesOf(body[field]).map(({ identifier, name }) => ({
      collection,
      identifier,
      name: typeof name === "string" && name !== "" ? name : identifier,
    }));
  return [...entries("processingActivities", "processings"), ...entries("documents", "contracts")];
}
