import type { JsonObject } from "@avow/contract/json";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../../../config/config.ts";
import type { Scope } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import type { Db } from "../../../platform/db/db.ts";
import { toActorName } from "../../../kernel/actor.ts";
import { Fault, type FieldFault, assertNoFaults } from "../../../platform/errors.ts";
import { assertMatches } from "../../../kernel/etag.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import type { Jobs } from "../../../kernel/jobs.ts";
import { mergePatch } from "../../../platform/text/mergepatch.ts";
import type { Payments } from "../../../platform/payments/payments.ts";
import type { Check } from "../../../kernel/schemas.ts";
import type { Plans } from "../../billing/plans.ts";
import { lockForChange } from "./access.ts";
import { toBody, toEtag } from "./documents.ts";
import { sanitizeFields } from "../schemas/html-fields.ts";
import { type Parents, getParents } from "./parents.ts";
import type { Resource } from "../schemas/resources.ts";
import { findRuleFaults } from "../schemas/rules.ts";
import {
  type DocumentRow,
  insertDocument,
  updateChildrenOrganization,
  updateDocument,
} from "./store.ts";
import { findTierOf } from "./tiers.ts";
import { insertOwner } from "./users-store.ts";

/** What the vault's verbs need beside their context. */
export interface Vault {
  db: Db;
  plans: Plans;
  /** The compiled schema of each resource. */
  checks: ReadonlyMap<string, Check>;
  jobs: Pick<Jobs, "sendJob">;
}

/** What vault routes need beside the vault. */
export interface VaultApp extends Vault {
  now: () => Date;
  payments: Payments;
  log: Pick<FastifyBaseLogger, "info" | "warn">;
  publicUrl: string;
  config: Pick<Config, "mail">;
  lookups: Lookups;
}

/** The limit of looking people up by their addresses, which the app hands down. */
export interface Lookups {
  /** What `look` finds for the user `by`. Throws `Fault` too-many where too many of theirs found nobody. */
  find<T>(
    asked: { by: string; now: Date },
    look: () => Promise<T | undefined>,
  ): Promise<T | undefined>;
}

export interface Written {
  row: DocumentRow;
  /** What was changed of what was sent. */
  warnings: FieldFault[];
}

/** A document that is about to be changed. */
export interface Target {
  resource: Resource;
  id: string;
  /** The version that the caller saw. */
  ifMatch?: string | undefined;
}

/**
 * Creates a document. Its creator becomes owner, unless it belongs to a project: then its owners are.
 * @throws Fault invalid (every fault of the body), impossible (an unknown parent, a paid layout on
 *   the free tier), forbidden (the parent is visible, but the role on it does not allow writing)
 */
export async function createDocument(
  ctx: Ctx,
  vault: Vault,
  { resource, given }: { resource: Resource; given: JsonObject },
): Promise<Written> {
  const { body, warnings } = readBody(vault, resource, toBody(resource, given));
  const parents = await getParents(ctx, vault, { resource, body, present: undefined });
  assertWithin(ctx.scope, parents);
  const row = await insertDocument(ctx.tx, {
    id: newDocumentId(ctx.now),
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
  // What belongs to a project is owned by the project's owners, whoever made it: rights of its own
  // would outlive the maker's role there.
  if (ctx.actor.kind === "user" && parents.projectId === null)
    await insertOwner(ctx.tx, { documentId: row.id, userId: ctx.actor.userId, now: ctx.now });
  await recordDocumentEvent(ctx, resource, row, "created");
  return { row, warnings };
}

/** A key of one project makes nothing outside of it. */
function assertWithin(scope: Scope, { projectId }: Parents): void {
  if (scope.kind === "system" || scope.projectId === undefined) return;
  if (projectId !== scope.projectId)
    throw new Fault("forbidden", "This API key is for what belongs to its project.");
}

/** Replaces a document's own fields by what is given. Throws as `createDocument`, and not-found, stale. */
export async function replaceDocument(
  ctx: Ctx,
  vault: Vault,
  target: Target & { given: JsonObject; operation?: "replace" | "restore" },
): Promise<Written> {
  const present = await getPresent(ctx, vault, target);
  const body = toBody(target.resource, target.given);
  return writeNext(ctx, vault, {
    ...target,
    present,
    body,
    operation: target.operation ?? "replace",
  });
}

/** Changes a document by a merge patch (RFC 7396). Throws as `replaceDocument`. */
export async function patchDocument(
  ctx: Ctx,
  vault: Vault,
  target: Target & { patch: JsonObject },
): Promise<Written> {
  const present = await getPresent(ctx, vault, target);
  const patch = toBody(target.resource, target.patch);
  const body = mergePatch(present.body, patch) as JsonObject;
  return writeNext(ctx, vault, { ...target, present, body, operation: "patch" });
}

/** The document as it is, locked. Throws `Fault` not-found, forbidden, stale. */
export async function getPresent(
  ctx: Ctx,
  vault: Vault,
  { resource, id, ifMatch }: Target,
): Promise<DocumentRow> {
  const row = await lockForChange(ctx, { resource: resource.name, id });
  await assertUnchanged(ctx, vault, row, ifMatch);
  return row;
}

/** The tag costs a look at the tier, so it is only made for who sent one. */
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
  body: JsonObject;
  operation: "replace" | "patch" | "restore";
}

async function writeNext(
  ctx: Ctx,
  vault: Vault,
  { resource, present, ...next }: Next,
): Promise<Written> {
  const { body, warnings } = readBody(vault, resource, next.body);
  const parents = await getParents(ctx, vault, { resource, body, present });
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
  return { row, warnings };
}

/** A project that changes its organization takes its configurations along, and never loses its last owner. */
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

/** Both organizations' audit trails have it, each as its own. */
async function recordMove(ctx: Ctx, project: DocumentRow, to: string | null): Promise<void> {
  const from = project.organization_id;
  const moved = { name: "project.moved", documentId: project.id, data: { from, to } } as const;
  for (const organizationId of [from, to])
    if (organizationId !== null) await recordEvent(ctx, { ...moved, organizationId });
}

/** What is wrong with a document's own fields, as it would be refused. */
export function findBodyFaults(
  { checks }: Pick<Vault, "checks">,
  resource: string,
  body: JsonObject,
): FieldFault[] {
  const faults = checks.get(resource)?.(body) ?? [];
  return faults.length > 0 ? faults : findRuleFaults({ resource, body });
}

/** The body as it will be kept: valid, its HTML cleaned. Throws `Fault` (invalid) with every fault. */
function readBody(
  vault: Vault,
  resource: Resource,
  given: JsonObject,
): { body: JsonObject; warnings: FieldFault[] } {
  const body = structuredClone(given);
  assertNoFaults(findBodyFaults(vault, resource.name, body));
  return { body, warnings: sanitizeFields(resource.name, body) };
}

/** Writes what happened to a document in the audit trail. */
export async function recordDocumentEvent(
  ctx: Ctx,
  resource: Resource,
  row: DocumentRow,
  happened: "created" | "updated" | "deleted",
): Promise<void> {
  await recordEvent(ctx, {
    name: `${resource.event}.${happened}`,
    projectId: resource.name === "projects" ? row.id : (row.project_id ?? undefined),
    documentId: row.id,
    data: { resource: resource.name, version: row.version },
  });
}
