import type { Actor } from "../../../kernel/actor.ts";
import { type Ctx, toCtx } from "../../../kernel/ctx.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { Fault } from "../../../platform/errors.ts";
import { findTier } from "../../billing/billing.ts";
import { assertNoOpenSubscription, sendEnding } from "../../billing/ending.ts";
import {
  type PublishedLoss,
  findPublishedLosses,
  listOrganizationProjects,
  updateDeleted,
} from "./deletion-store.ts";
import { checkDeletion } from "../documents/inheriting.ts";
import { assertOrganizationOwner } from "../documents/organization-owners.ts";
import { lockDocument } from "../documents/store.ts";
import {
  type Target,
  type VaultApp,
  lockDocumentForWrite,
  recordDocumentEvent,
} from "../documents/vault.ts";

/** Something that the deletion of a project takes away: a published file, or its consents. */
type Loss = PublishedLoss | "consents";

/** The facts that a deletion depends on elsewhere, read before its transaction. */
interface Prepared {
  /** Whether the project has consents; false where that needs no confirmation. */
  hasConsents: boolean;
}

/** Maximum number of projects that an error names, and maximum length of each title. */
const NAMED_MAX = 20;
const TITLE_LENGTH_MAX = 80;

/**
 * Reads what a deletion depends on elsewhere, before its transaction: whether a project has consents, and, with the
 * payment provider, that an organization has no paid subscription. Contacts the provider only if the caller may delete the organization and it has no projects.
 * @throws Fault as `deleteDocument`, PaymentsError
 */
export async function prepareDeletion(
  app: VaultApp,
  {
    actor,
    requestId,
    confirm,
    ...target
  }: Target & { actor: Actor; requestId: string; confirm: string | undefined },
): Promise<Prepared> {
  if (target.resource.name === "projects" && confirm !== target.id)
    return { hasConsents: await app.hasConsents(target.id) };
  if (target.resource.name !== "organizations") return { hasConsents: false };
  await inTransaction(app.db, async (tx) => {
    const ctx = toCtx({ tx, actor, now: app.now(), requestId });
    await lockDocumentForWrite(ctx, app, target);
    await assertHasNoProjects(ctx, target.id);
  });
  await assertNoOpenSubscription(app, target.id);
  return { hasConsents: false };
}

/**
 * Marks a document as deleted. A project is deleted with all its configurations and unpublished, and its consents stay
 * until their retention period ends. An organization is deleted with its own vendors and media.
 * @throws Fault conflict for a project with a published file or consents unless `confirm` is its id, and for an
 *   organization that still has projects or a subscription; not-found, forbidden (also for a project of an organization
 *   if the caller does not own the organization), stale
 */
export async function deleteDocument(
  ctx: Ctx,
  app: VaultApp,
  target: Target & Prepared & { confirm: string | undefined },
): Promise<void> {
  const { resource, id } = target;
  const row = await lockDocumentForWrite(ctx, app, target);
  if (resource.name === "projects") {
    if (row.organization_id !== null) await lockDocument(ctx.tx, row.organization_id, "share");
    await assertOrganizationOwner(ctx.tx, ctx.scope, { of: row, needs: "can delete it" });
    if (target.confirm !== id) await assertLosesNothing(ctx, target);
  }
  await checkDeletion(ctx, row);
  if (resource.name === "organizations") {
    await assertHasNoProjects(ctx, id);
    await assertUnsubscribed(ctx, app, id);
    await sendEnding(ctx.tx, app, id);
  }
  await updateDeleted(ctx.tx, { id, now: ctx.now });
  if (resource.name === "projects")
    await app.jobs.sendJob(ctx.tx, { queue: "unpublish", data: { projectId: id } });
  await recordDocumentEvent(ctx, resource, row, "deleted");
}

const lossTexts: Readonly<Record<Loss, string>> = {
  production: "a published file",
  staging: "a published file in staging",
  consents: "consents on record",
};

/** @throws Fault conflict when the deletion of the project has to be confirmed */
async function assertLosesNothing(
  ctx: Ctx,
  { id: projectId, hasConsents }: Target & Prepared,
): Promise<void> {
  const losses: Loss[] = await findPublishedLosses(ctx.tx, projectId);
  if (hasConsents) losses.push("consents");
  if (losses.length === 0) return;
  const texts = losses.map((loss) => lossTexts[loss]);
  const listed = new Intl.ListFormat("en").format(texts);
  throw new Fault(
    "conflict",
    `The project has ${listed}. Deleting it removes its files, and its consents can no longer be listed or exported. To confirm, add ?confirm=${projectId}.`,
    { faults: [{ path: "?confirm", message: `must be ${projectId}` }], members: { losses } },
  );
}

/** @throws Fault conflict when the organization still has projects */
async function assertHasNoProjects(ctx: Ctx, organizationId: string): Promise<void> {
  const limit = NAMED_MAX + 1;
  const found = await listOrganizationProjects(ctx.tx, { organizationId, limit });
  if (found.length === 0) return;
  const projects = found.slice(0, NAMED_MAX).map(({ id, title }) => ({
    id,
    // Slicing can split a surrogate pair.
    title: title.slice(0, TITLE_LENGTH_MAX).toWellFormed(),
  }));
  const names = projects.map(({ id, title }) => `“${title}” (${id})`).join(", ");
  const more = found.length > NAMED_MAX ? " and more" : "";
  throw new Fault(
    "conflict",
    `The organization still has projects: ${names}${more}. Move or delete them first.`,
    { members: { projects } },
  );
}

/** @throws Fault conflict when our own table has a subscription of the organization */
async function assertUnsubscribed(ctx: Ctx, app: VaultApp, organizationId: string): Promise<void> {
  const { status } = await findTier(ctx.tx, { plans: app.plans, organizationId, now: ctx.now });
  if (status === "none" || status === "canceled") return;
  throw new Fault("conflict", `The organization's subscription is ${status}. Cancel it first.`);
}
