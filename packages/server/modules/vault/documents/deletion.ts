import type { Actor } from "../../../kernel/actor.ts";
import { type Ctx, toCtx } from "../../../kernel/ctx.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { Fault } from "../../../platform/errors.ts";
import { findTier } from "../../billing/billing.ts";
import { assertNothingPaid, sendEnding } from "../../billing/ending.ts";
import { assertOrganizationOwner } from "./organization-owners.ts";
import {
  type DocumentRow,
  listOrganizationDocuments,
  lockDocument,
  updateDeleted,
} from "./store.ts";
import { type Target, type VaultApp, getPresent, recordDocumentEvent } from "./vault.ts";

/** Of what stands in the way of a deletion so many are named, and so much of each name. */
const NAMED_MAX = 3;
const NAME_LENGTH_MAX = 80;

/**
 * Asks the payment provider, before the transaction of an organization's deletion, whether anything is paid for it; but
 * only for who may delete it, and where nothing else stands in the way.
 * @throws Fault as `deleteDocument`, PaymentsError
 */
export async function prepareDeletion(
  app: VaultApp,
  { actor, requestId, ...target }: Target & { actor: Actor; requestId: string },
): Promise<void> {
  if (target.resource.name !== "organizations") return;
  await inTransaction(app.db, async (tx) => {
    const ctx = toCtx({ tx, actor, now: app.now(), requestId });
    await getPresent(ctx, app, target);
    await assertHoldsNothing(ctx, target.id);
  });
  await assertNothingPaid(app, target.id);
}

/**
 * Takes a document out of sight; a project with all of its configurations, off the air too. Its
 * consents stay until their retention ends.
 * @throws Fault invalid when a project's deletion is not confirmed, conflict for an organization
 *   that still has projects or a subscription, not-found, forbidden (a project in an organization by others than
 *   that one's owners, too), stale
 */
export async function deleteDocument(
  ctx: Ctx,
  app: VaultApp,
  target: Target & { confirm: string | undefined },
): Promise<void> {
  const { resource, id } = target;
  const row = await getPresent(ctx, app, target);
  if (resource.name === "projects") {
    if (row.organization_id !== null) await lockDocument(ctx.tx, row.organization_id, "share");
    await assertOrganizationOwner(ctx.tx, ctx.scope, { of: row, needs: "deletes a project of it" });
  }
  if (resource.name === "projects" && target.confirm !== id)
    throw new Fault(
      "invalid",
      `Deleting a project takes its file off the air. To confirm, add ?confirm=${id}.`,
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

/** An organization that has projects is not deleted. */
async function assertHoldsNothing(ctx: Ctx, organizationId: string): Promise<void> {
  const held = await listOrganizationDocuments(ctx.tx, { organizationId, limit: NAMED_MAX + 1 });
  if (held.length === 0) return;
  throw new Fault(
    "conflict",
    `The organization still has ${sayHeld(held)} Move or delete them first.`,
  );
}

/** Nor is one that is subscribed to a plan, as far as is known here. */
async function assertUnsubscribed(ctx: Ctx, app: VaultApp, organizationId: string): Promise<void> {
  const { status } = await findTier(ctx.tx, { plans: app.plans, organizationId, now: ctx.now });
  if (status === "none" || status === "canceled") return;
  throw new Fault("conflict", `The organization's subscription is ${status}. End it first.`);
}

/** What stands in the way, projects before what is no project's, by the names that people know it by. */
function sayHeld(held: readonly Pick<DocumentRow, "resource" | "body">[]): string {
  const kind = held[0]?.resource === "projects" ? "projects" : "documents of its own";
  const names = held.slice(0, NAMED_MAX).map(({ body: { title, name } }) => {
    const called = [title, name].find((one) => typeof one === "string");
    // Half of a character would be no text.
    const text = typeof called === "string" ? called.slice(0, NAME_LENGTH_MAX) : "";
    return `“${text.toWellFormed()}”`;
  });
  return `${kind}: ${names.join(", ")}${held.length > NAMED_MAX ? " and more" : ""}.`;
}
