import type { Actor } from "../../../kernel/actor.ts";
import { type Ctx, toCtx } from "../../../kernel/ctx.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { Fault } from "../../../platform/errors.ts";
import { findTier } from "../../billing/billing.ts";
import { assertNoOpenSubscription, sendEnding } from "../../billing/ending.ts";
import { assertOrganizationOwner } from "./organization-owners.ts";
import {
  type DocumentRow,
  listOrganizationDocuments,
  lockDocument,
  updateDeleted,
} from "./store.ts";
import { type Target, type VaultApp, lockDocumentForWrite, recordDocumentEvent } from "./vault.ts";

/** Maximum number and length of names of remaining documents in an error. */
const NAMED_MAX = 3;
const NAME_LENGTH_MAX = 80;

/**
 * Checks with the payment provider, before the transaction that deletes an organization, that it has no paid subscription.
 * Contacts the provider only if the caller may delete the organization and it has no documents.
 * @throws Fault as `deleteDocument`, PaymentsError
 */
export async function prepareDeletion(
  app: VaultApp,
  { actor, requestId, ...target }: Target & { actor: Actor; requestId: string },
): Promise<void> {
  if (target.resource.name !== "organizations") return;
  await inTransaction(app.db, async (tx) => {
    const ctx = toCtx({ tx, actor, now: app.now(), requestId });
    await lockDocumentForWrite(ctx, app, target);
    await assertHoldsNothing(ctx, target.id);
  });
  await assertNoOpenSubscription(app, target.id);
}

/**
 * Marks a document as deleted. A project is deleted with all its configurations and unpublished. Its consents
 * stay until their retention period ends.
 * @throws Fault invalid when a project's deletion is not confirmed, conflict for an organization that still has
 *   documents or a subscription, not-found, forbidden (also for a project of an organization if the caller does
 *   not own the organization), stale
 */
export async function deleteDocument(
  ctx: Ctx,
  app: VaultApp,
  target: Target & { confirm: string | undefined },
): Promise<void> {
  const { resource, id } = target;
  const row = await lockDocumentForWrite(ctx, app, target);
  if (resource.name === "projects") {
    if (row.organization_id !== null) await lockDocument(ctx.tx, row.organization_id, "share");
    await assertOrganizationOwner(ctx.tx, ctx.scope, { of: row, needs: "can delete it" });
  }
  if (resource.name === "projects" && target.confirm !== id)
    throw new Fault(
      "invalid",
      `Deleting a project also unpublishes it. To confirm, add ?confirm=${id}.`,
      {
        faults: [{ path: "?confirm", message: `must be ${id}` }],
      },
    );
  if (resource.name === "organizations") {
    await assertHoldsNothing(ctx, id);
    await assertUnsubscribed(ctx, app, id);
    await sendEnding(ctx.tx, app, id);
  }
  await updateDeleted(ctx.tx, { id, now: ctx.now });
  if (resource.name === "projects")
    await app.jobs.sendJob(ctx.tx, { queue: "unpublish", data: { projectId: id } });
  await recordDocumentEvent(ctx, resource, row, "deleted");
}

/** @throws Fault conflict when the organization still has documents */
async function assertHoldsNothing(ctx: Ctx, organizationId: string): Promise<void> {
  const held = await listOrganizationDocuments(ctx.tx, { organizationId, limit: NAMED_MAX + 1 });
  if (held.length === 0) return;
  throw new Fault(
    "conflict",
    `The organization still has ${listNames(held)} Move or delete them first.`,
  );
}

/** @throws Fault conflict when our own table has a subscription of the organization */
async function assertUnsubscribed(ctx: Ctx, app: VaultApp, organizationId: string): Promise<void> {
  const { status } = await findTier(ctx.tx, { plans: app.plans, organizationId, now: ctx.now });
  if (status === "none" || status === "canceled") return;
  throw new Fault("conflict", `The organization's subscription is ${status}. Cancel it first.`);
}

/** The remaining documents by title, projects first. */
function listNames(held: readonly Pick<DocumentRow, "resource" | "body">[]): string {
  const kind = held[0]?.resource === "projects" ? "projects" : "documents of its own";
  const names = held.slice(0, NAMED_MAX).map(({ body: { title, name } }) => {
    const full = [title, name].find((one) => typeof one === "string");
    // Slicing can split a surrogate pair.
    const text = typeof full === "string" ? full.slice(0, NAME_LENGTH_MAX) : "";
    return `“${text.toWellFormed()}”`;
  });
  return `${kind}: ${names.join(", ")}${held.length > NAMED_MAX ? " and more" : ""}.`;
}
