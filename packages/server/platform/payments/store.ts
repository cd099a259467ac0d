import type { Db, Tx } from "../db/db.ts";
import { type Subscription, type SubscriptionStatus, subscriptionStatuses } from "./payments.ts";

/** Finds the organization's stored subscription. */
export async function findSubscription(
  db: Db | Tx,
  organizationId: string,
): Promise<Subscription | undefined> {
  const row = await db
    .selectFrom("subscriptions")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    plan: row.plan,
    status: toStatus(row.status),
    currentPeriodEnd: row.current_period_end,
    unpaidSince: row.unpaid_since,
    cancelsAt: row.cancels_at,
    customer: row.customer_id,
    updatedAt: row.updated_at,
  };
}

export async function upsertSubscription(
  tx: Tx,
  organizationId: string,
  subscription: Subscription,
): Promise<void> {
  const row = {
    plan: subscription.plan,
    status: subscription.status,
    current_period_end: subscription.currentPeriodEnd,
    unpaid_since: subscription.unpaidSince,
    cancels_at: subscription.cancelsAt,
    customer_id: subscription.customer,
    updated_at: subscription.updatedAt,
  };
  await tx
    .insertInto("subscriptions")
    .values({ organization_id: organizationId, ...row })
    .onConflict((conflict) => conflict.column("organization_id").doUpdateSet(row))
    .execute();
}

function toStatus(text: string): SubscriptionStatus {
  const status = subscriptionStatuses.find((known) => known === text);
  if (!status) throw new Error(`a subscription has the unknown status ${text}`);
  return status;
}
