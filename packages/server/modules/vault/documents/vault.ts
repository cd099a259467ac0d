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
import { joinNames } from "../schemas/aliases.ts";
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
}

/** Limits lookups of people by their addresses. */
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

export interface WriteResult {
  row: DocumentRow;
  /** Changes that sanitizing has made to the input. */
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
 *   tier), forbidden (the parent is visible, but the role on it does not allow writing)
 */
export async function createDocument(
  ctx: Ctx,
  vault: Vault,
  { resource, input }: { resource: Resource; input: JsonObject },
): Promise<WriteResult> {
  const { body, warnings } = validateBody(vault, resource, readInput(resource, input, undefined));
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
  const input = readInput(target.resource, target.input, present.body);
  return writeNext(ctx, vault, {
    ...target,
    present,
    input,
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
  const { body: patch, warnings } = readInput(target.resource, target.patch, present.body);
  const input = { body: mergePatch(present.body, patch) as JsonObject, warnings };
  return writeNext(ctx, vault, { ...target, present, input, operation: "patch" });
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
  input: Input;
  operation: "replace" | "patch" | "restore";
}

async function writeNext(
  ctx: Ctx,
  vault: Vault,
  { resource, present, ...next }: Next,
): Promise<WriteResult> {
  const { body, warnings } = validateBody(vault, resource, next.input);
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

/** Records the move in the audit trails of both organizations. */
async function recordMove(ctx: Ctx, project: DocumentRow, to: string | null): Promise<void> {
  const from = project.organization_id;
  const moved = { name: "project.moved", documentId: project.id, data: { from, to } } as const;
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

/** The document's own fields in a request, with the changes made to them. */
interface Input {
  body: JsonObject;
  warnings: FieldFault[];
}

function readInput(resource: Resource, input: JsonObject, present: JsonObject | undefined): Input {
  const body = toBody(resource, input);
  return resource.name === "organizations" ? joinNames(body, present) : { body, warnings: [] };
}

/** Validates a body and sanitizes its HTML. @throws Fault invalid, with every error */
function validateBody(vault: Vault, resource: Resource, input: Input): Input {
  const body = structuredClone(input.body);
  assertNoFaults(findBodyFaults(vault, resource.name, body));
  return { body, warnings: [...input.warnings, ...sanitizeFields(resource.name, body)] };
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
