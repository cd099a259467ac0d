import type { Ctx } from "../../kernel/ctx.ts";
import type { Db, Tx } from "../../platform/db/db.ts";
import { Fault, assertNoFaults } from "../../platform/errors.ts";
import { recordEvent } from "../../kernel/events/events.ts";
import type { Subscription, SubscriptionStatus } from "../../platform/payments/payments.ts";
import { findSubscription, upsertSubscription } from "../../platform/payments/store.ts";
import type { Plan, Plans } from "./plans.ts";
import { hasOrganization } from "./store.ts";

/** The plan that applies to a project, and the state of its subscription. */
export interface Tier {
  plan: Plan;
  status: SubscriptionStatus | "none";
  /** The provider's customer id. */
  customer?: string;
}

/**
 * Finds the tier of a project by its organization: the free tier without an organization or without a valid
 * subscription (specification, States; wire section 8).
 */
export async function findTier(
  db: Db | Tx,
  { plans, organizationId, now }: { plans: Plans; organizationId: string | null; now: Date },
): Promise<Tier> {
  if (organizationId === null) return toTier(plans, undefined, now);
  return toTier(plans, await findSubscription(db, organizationId), now);
}

/**
 * The tier of a subscription at `now`. Active and trialing subscriptions have their plan. So have past_due ones, and
 * those whose paid period has ended, during the grace period, which begins with the unpaid invoice or else with
 * the end of the paid period. Canceled and unpaid ones, and unknown plans, have the free plan.
 */
export function toTier(plans: Plans, subscription: Subscription | undefined, now: Date): Tier {
  if (!subscription) return { plan: plans.free, status: "none" };
  const { currentPeriodEnd: end, unpaidSince, customer, updatedAt } = subscription;
  const paid = subscription.status === "active" || subscription.status === "trialing";
  const status = paid && end && end < now ? "past_due" : subscription.status;
  const graceStart = unpaidSince ?? end ?? updatedAt;
  const isInGrace = now.getTime() <= graceStart.getTime() + plans.graceMs;
  const kept = status === "past_due" ? isInGrace : paid;
  const plan = kept ? plans.byName.get(subscription.plan) : undefined;
  return { plan: plan ?? plans.free, status, ...(customer === null ? {} : { customer }) };
}

/** Whether a subscription has not ended, so that no plan can be bought. */
export function isOpen(subscription: Subscription | undefined): subscription is Subscription {
  return subscription !== undefined && subscription.status !== "canceled";
}

interface NewSubscription {
  organizationId: string;
  plan: string;
  status: SubscriptionStatus;
  currentPeriodEnd: Date | null;
}

/**
 * Sets an organization's subscription without a payment provider.
 * @throws Fault not-found for an unknown organization, impossible for an unknown plan, conflict when the payment provider
 *   manages the subscription
 */
export async function setSubscription(
  ctx: Ctx,
  { plans }: { plans: Plans },
  { organizationId, ...given }: NewSubscription,
): Promise<Subscription> {
  if (!(await hasOrganization(ctx.tx, organizationId)))
    throw new Fault("not-found", `There is no organization ${organizationId}.`);
  if (!plans.byName.has(given.plan)) {
    const known = [...plans.byName.keys()].join(", ");
    assertNoFaults([{ path: "/plan", message: `must be one of ${known}` }], "impossible");
  }
  const present = await findSubscription(ctx.tx, organizationId);
  if (present && present.customer !== null && present.status !== "canceled")
    throw new Fault(
      "conflict",
      `The payment provider manages this organization's subscription (${present.status}). Change it there.`,
    );
  const unused = { unpaidSince: null, cancelsAt: null, customer: null };
  const subscription = { ...given, ...unused, updatedAt: ctx.now };
  await upsertSubscription(ctx.tx, organizationId, subscription);
  await recordEvent(ctx, {
    name: "subscription.updated",
    documentId: organizationId,
    data: { plan: subscription.plan, status: subscription.status },
  });
  return subscription;
}
