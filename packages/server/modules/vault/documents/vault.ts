import type { JsonObject } from "@avow/contract/json";
import { findRuleFaults } from "@avow/contract/rules";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../../../config/config.ts";
import type { Scope } from "../../../kernel/actor.ts";
import type { Counters } from "../../../kernel/counters.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import type { Db } from "../../../platform/db/db.ts";
import { toActorName } from "../../../kernel/actor.ts";
import { Fault, type FieldFault, assertNoFaults } from "../../../platform/errors.ts";
import { assertMatches } from "../../../kernel/etag.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import type { Role } from "../../../kernel/rights.ts";
import type { Jobs } from "../../../kernel/jobs.ts";
import { mergePatch } from "../../../platform/text/mergepatch.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import type { Payments } from "../../../platform/payments/payments.ts";
import type { Check } from "../../../kernel/schemas.ts";
import type { Plans } from "../../billing/plans.ts";
import { lockForChange } from "./access.ts";
import { toEtag } from "./documents.ts";
import { type Input, readInput } from "../schemas/input.ts";
import { findUnpublished } from "../schemas/client-fields.ts";
import { sanitizeFields } from "../schemas/html-fields.ts";
import {
  assertPublishesOwn,
  checkLocks,
  endInheritance,
  keepTemplateFields,
  settleTemplate,
  templateIdOf,
  toResetBody,
  updateInherited,
} from "./inheriting.ts";
import type { SitePlan } from "../inheritance/plan.ts";
import { withName } from "./names.ts";
import { type Parents, getParents } from "./parents.ts";
import { type Resource, resourceOf, singleResources } from "../schemas/resources.ts";
import {
  type DocumentRow,
  countProjectDocuments,
  insertDocument,
  updateChildrenOrganization,
  updateDocument,
} from "./store.ts";
import { findTierOf } from "./tiers.ts";
import { checkVendorIds } from "./references.ts";
import { insertOwner } from "./users-store.ts";

/** The dependencies of the vault's operations, in addition to their context. */
export interface Vault {
  db: Db;
  plans: Plans;
  /** The compiled schema of each resource. */
  checks: ReadonlyMap<string, Check>;
  jobs: Pick<Jobs, "sendJob">;
}

/** The dependencies of the vault's routes. */
export interface VaultApp extends Vault {
  now: () => Date;
  payments: Payments;
  log: Pick<FastifyBaseLogger, "info" | "warn">;
  publicUrl: string;
  config: Pick<Config, "mail">;
  lookups: Lookups;
  memberMails: MemberMails;
  counters: Counters;
  /** Whether a project has consents on record. */
  hasConsents: (projectId: string) => Promise<boolean>;
  /** Has collection follow a change of a project before it is answered; does not throw. */
  followProject: (projectId: string) => Promise<void>;
}

/** Limits lookups of people by their ids and addresses. */
export interface Lookups {
  /**
   * Returns the result of `look`, counted for the user `by`.
   * @throws Fault too-many after too many lookups of that user without a result
   */
  find<T>(
    caller: { by: string; now: Date },
    look: () => Promise<T | undefined>,
  ): Promise<T | undefined>;
}

/** Notifies users who were added to a document. */
export interface MemberMails {
  postAdded(
    ctx: Ctx,
    member: {
      userId: string;
      addedBy: string;
      documentId: string;
      title: string;
      roles: readonly Role[];
      /** Whether the others see the user's address and name already. */
      isDisclosed: boolean;
      language: MailLanguage;
    },
  ): Promise<void>;
}

export interface WriteResult {
  row: DocumentRow;
  /** Differences between the input and the stored or the published document. */
  warnings: FieldFault[];
}

export interface Target {
  resource: Resource;
  id: string;
  /** The entity tag that the caller has. */
  ifMatch?: string | undefined;
}

/**
 * Creates a document. Its creator becomes its owner, unless it belongs to a project, whose owners own it.
 * @throws Fault invalid (every error of the body), impossible (an unknown parent, a paid layout on the free
 *   tier), forbidden (the parent is visible, but the role on it does not allow writing), conflict (a second document
 *   beside the one of the project's template, where one is published)
 */
export async function createDocument(
  ctx: Ctx,
  vault: Vault,
  creation: { resource: Resource; input: JsonObject },
): Promise<WriteResult> {
  const { row, warnings } = await createAlone(ctx, vault, creation);
  return { row: await followTemplate(ctx, vault, row, undefined), warnings };
}

/** Like `createDocument`, but a project has no documents of its template yet: `followTemplate` gives it these. */
export async function createAlone(
  ctx: Ctx,
  vault: Vault,
  { resource, input }: { resource: Resource; input: JsonObject },
): Promise<WriteResult> {
  const id = newDocumentId(ctx.now);
  const read = readInput(resource, input, { present: undefined });
  const valid = validateBody(vault, resource, withTemplate(resource, read, input, undefined));
  const parents = await getParents(ctx, vault, { resource, body: valid.body, present: undefined });
  assertWithin(ctx.scope, parents);
  await assertPublishesOwn(ctx, { resource, projectId: parents.projectId });
  const settled = await withSettledTemplate(ctx, { resource, parents, input: valid });
  const next = { resource, id, parents, input: settled, sent: input, present: undefined };
  const { body, warnings } = await completeBody(ctx, next);
  const row = await insertDocument(ctx.tx, {
    id,
    resource: resource.name,
    project_id: parents.projectId,
    organization_id: parents.organizationId,
    body,
    version: 1,
    created_at: ctx.now,
    created_by: toActorName(ctx.actor),
    updated_at: ctx.now,
    updated_by: toActorName(ctx.actor),
  });
  // A project's documents get no rights of their own, since these would outlast the creator's role there.
  if (ctx.actor.kind === "user" && parents.projectId === null)
    await insertOwner(ctx.tx, { documentId: row.id, userId: ctx.actor.userId, now: ctx.now });
  await recordDocumentEvent(ctx, resource, row, "created");
  return { row, warnings };
}

/** An API key of one project cannot create documents outside of it. */
function assertWithin(scope: Scope, { projectId }: Parents): void {
  if (scope.kind === "system" || scope.projectId === undefined) return;
  if (projectId !== scope.projectId)
    throw new Fault("forbidden", "This API key can only create documents of its own project.");
}

/** Replaces a document's own fields. Throws like `createDocument`, and not-found, stale. */
export async function replaceDocument(
  ctx: Ctx,
  vault: Vault,
  target: Target & { input: JsonObject; operation?: "replace" | "restore" },
): Promise<WriteResult> {
  const present = await lockDocumentForWrite(ctx, vault, target);
  return writeNext(ctx, vault, {
    ...target,
    present,
    input: readInput(target.resource, target.input, { present }),
    sent: target.input,
    operation: target.operation ?? "replace",
  });
}

/** Changes a document by a merge patch (RFC 7396). Throws like `replaceDocument`. */
export async function patchDocument(
  ctx: Ctx,
  vault: Vault,
  target: Target & { patch: JsonObject },
): Promise<WriteResult> {
  const present = await lockDocumentForWrite(ctx, vault, target);
  const patch = readInput(target.resource, target.patch, { present, isPatch: true });
  const body = mergePatch(present.body, patch.body) as JsonObject;
  const input = { ...patch, body };
  return writeNext(ctx, vault, {
    ...target,
    present,
    input,
    sent: target.patch,
    operation: "patch",
  });
}

/** The stored document, locked. Throws `Fault` not-found, forbidden, stale. */
export async function lockDocumentForWrite(
  ctx: Ctx,
  vault: Vault,
  { resource, id, ifMatch }: Target,
): Promise<DocumentRow> {
  const row = await lockForChange(ctx, { resource: resource.name, id });
  await assertUnchanged(ctx, vault, row, ifMatch);
  return row;
}

/** Computes the entity tag, which needs the tier, only if the request has one. */
async function assertUnchanged(
  ctx: Ctx,
  vault: Vault,
  row: DocumentRow,
  ifMatch: string | undefined,
): Promise<void> {
  if (ifMatch === undefined) return;
  assertMatches(ifMatch, toEtag(row, await findTierOf(ctx.tx, vault, row, ctx.now)));
}

interface Next {
  resource: Resource;
  present: DocumentRow;
  /** The body after the write, before it is validated. */
  input: Input;
  /** The fields that the client sent. */
  sent: JsonObject;
  operation: "replace" | "patch" | "restore";
}

async function writeNext(
  ctx: Ctx,
  vault: Vault,
  { resource, present, ...next }: Next,
): Promise<WriteResult> {
  const input = withTemplate(resource, next.input, next.sent, present);
  const valid = validateBody(vault, resource, input);
  const parents = await getParents(ctx, vault, { resource, body: valid.body, present });
  const { id } = present;
  const { body, warnings } = await completeBody(ctx, {
    resource,
    id,
    parents,
    input: await withSettledTemplate(ctx, { resource, parents, input: valid, present }),
    sent: next.sent,
    present,
  });
  if (templateIdOf({ body }) === templateIdOf(present)) await checkLocks(ctx, present, body);
  const row = await updateDocument(ctx.tx, {
    id: present.id,
    body,
    operation: next.operation,
    now: ctx.now,
    by: toActorName(ctx.actor),
    organizationId: parents.organizationId,
  });
  await moveChildren(ctx, resource, present, parents);
  await recordDocumentEvent(ctx, resource, row, "updated");
  return { row: await followTemplate(ctx, vault, row, present), warnings };
}

/** A project's relation to templates changes only by a value that is sent; a restored version does not have it. */
function withTemplate(
  resource: Resource,
  input: Input,
  sent: JsonObject,
  present: DocumentRow | undefined,
): Input {
  if (resource.name !== "projects") return input;
  return { ...input, body: keepTemplateFields(input.body, sent, present) };
}

async function withSettledTemplate(
  ctx: Ctx,
  {
    resource,
    parents: { organizationId },
    input,
    present,
  }: Pick<Completion, "resource" | "parents" | "input"> & { present?: DocumentRow },
): Promise<Input> {
  if (resource.name !== "projects") return input;
  const body = await settleTemplate(ctx, { body: input.body, present, organizationId });
  return { ...input, body };
}

/** Has a project follow the template that it now names, and no longer the one before; returns its newest version. */
export async function followTemplate(
  ctx: Ctx,
  vault: Vault,
  row: DocumentRow,
  present: DocumentRow | undefined,
): Promise<DocumentRow> {
  const [before, after] = [templateIdOf(present), templateIdOf(row)];
  if (row.resource !== "projects" || before === after) return row;
  if (before !== undefined) await endInheritance(ctx, row.id, before);
  if (after === undefined) return row;
  await recordEvent(ctx, {
    name: "template.followed",
    projectId: row.id,
    data: { templateId: after },
  });
  await updateInherited(ctx, toValidate(vault), row);
  return lockForChange(ctx, { resource: "projects", id: row.id });
}

/**
 * Brings the documents of a site up to its template.
 * @throws Fault not-found, forbidden, conflict when the project follows no template or another one than
 *   `templateId`, impossible when the site's own values are not valid with those of the template
 */
export async function updateSite(
  ctx: Ctx,
  vault: Vault,
  { siteId, templateId }: { siteId: string; templateId: string },
): Promise<SitePlan> {
  const site = await lockForChange(ctx, { resource: "projects", id: siteId, right: "write" });
  if (templateIdOf(site) !== templateId) throw toNoSite(siteId);
  return updateInherited(ctx, toValidate(vault), site);
}

function toNoSite(id: string): Fault {
  return new Fault("conflict", `The project ${id} does not follow this template.`);
}

function toValidate(vault: Vault) {
  return (resource: string, body: JsonObject) =>
    validateBody(vault, resourceOf(resource), { body, warnings: [] }).body;
}

/**
 * Gives an inherited document the template's values again: of these fields, or of all.
 * @throws Fault not-found, forbidden, impossible for a field that is no override, invalid
 */
export async function resetOverrides(
  ctx: Ctx,
  vault: Vault,
  { fields, ...target }: Target & { fields: readonly string[] | undefined },
): Promise<WriteResult> {
  const present = await lockDocumentForWrite(ctx, vault, target);
  const body = await toResetBody(ctx, present, fields);
  const input = { body, warnings: [] };
  return writeNext(ctx, vault, { ...target, present, input, sent: {}, operation: "patch" });
}

/** Moves a project's configurations along with it; without an organization, the caller becomes owner. */
async function moveChildren(
  ctx: Ctx,
  resource: Resource,
  present: DocumentRow,
  { organizationId }: Parents,
): Promise<void> {
  if (resource.name !== "projects" || present.organization_id === organizationId) return;
  await updateChildrenOrganization(ctx.tx, present.id, organizationId);
  await recordMove(ctx, present, organizationId);
  if (organizationId === null && ctx.actor.kind === "user")
    await insertOwner(ctx.tx, {
      documentId: present.id,
      userId: ctx.actor.userId,
      now: ctx.now,
    });
}

/** Records the move in the audit trails of both organizations, with `details`. */
export async function recordMove(
  ctx: Ctx,
  project: DocumentRow,
  to: string | null,
  details: JsonObject = {},
): Promise<void> {
  const from = project.organization_id;
  const data = { from, to, ...details };
  const moved = { name: "project.moved", documentId: project.id, data } as const;
  for (const organizationId of [from, to])
    if (organizationId !== null) await recordEvent(ctx, { ...moved, organizationId });
}

/** The errors in a document's own fields, which a write would be rejected with. */
export function findBodyFaults(
  { checks }: Pick<Vault, "checks">,
  resource: string,
  body: JsonObject,
): FieldFault[] {
  const faults = checks.get(resource)?.(body) ?? [];
  return faults.length > 0 ? faults : findRuleFaults({ resource, body });
}

/** Validates a body and sanitizes its HTML. @throws Fault invalid, with every error */
function validateBody(vault: Vault, resource: Resource, input: Input): Input {
  const body = structuredClone(input.body);
  assertNoFaults(findBodyFaults(vault, resource.name, body));
  const removed = sanitizeFields(resource.name, body);
  return { body, warnings: [...input.warnings, ...removed] };
}

interface Completion {
  resource: Resource;
  id: string;
  parents: Parents;
  input: Input;
  sent: JsonObject;
  present: DocumentRow | undefined;
}

/**
 * The body to store, with a configuration's name, and everything that clients are warned about.
 * @throws Fault impossible (the id of a vendor of the project that the caller may not see)
 */
async function completeBody(
  ctx: Ctx,
  { resource, id, parents: { projectId }, input, sent, present }: Completion,
): Promise<Input> {
  const naming = { resource: resource.name, id, projectId, body: input.body, sent, present };
  const next = { resource: resource.name, body: input.body };
  const vendors = await checkVendorIds(ctx, { projectId, next, present });
  assertNoFaults(vendors.hidden, "impossible");
  const { body, warnings } = await withName(ctx, naming);
  return {
    body,
    warnings: [
      ...input.warnings,
      ...warnings,
      ...vendors.unknown,
      ...(await findReplaced(ctx, { resource, projectId, present })),
      ...findUnpublished(resource, body, present?.body),
    ],
  };
}

async function findReplaced(
  ctx: Ctx,
  {
    resource,
    projectId,
    present,
  }: Pick<Completion, "resource" | "present"> & Pick<Parents, "projectId">,
): Promise<FieldFault[]> {
  if (present || projectId === null || !singleResources.has(resource.name)) return [];
  const count = await countProjectDocuments(ctx.tx, { projectId, resources: [resource.name] });
  if (count === 0) return [];
  const message = `has another ${resource.noun} already, which is no longer published: only the newest is.`;
  return [{ path: "/projectId", message }];
}

/** Records a change of a document in the audit trail. */
export async function recordDocumentEvent(
  ctx: Ctx,
  resource: Resource,
  row: DocumentRow,
  change: "created" | "updated" | "deleted",
): Promise<void> {
  await recordEvent(ctx, {
    name: `${resource.event}.${change}`,
    projectId: resource.name === "projects" ? row.id : (row.project_id ?? undefined),
    documentId: row.id,
    data: { resource: resource.name, version: row.version },
  });
}
