import type { Ctx } from "../../kernel/ctx.ts";
import type { Db, Tx } from "../../platform/db/db.ts";
import { Fault, assertNoFaults } from "../../platform/errors.ts";
import { recordEvent } from "../../kernel/events/events.ts";
import type { Subscription, SubscriptionStatus } from "../../platform/payments/payments.ts";
import { findSubscription, upsertSubscription } from "../../platform/payments/store.ts";
import type { Plan, Plans } from "./plans.ts";
import { hasOrganization } from "./store.ts";

/** What a project may use now, and the state of the subscription that says so. */
export interface Tier {
  plan: Plan;
  status: SubscriptionStatus | "none";
  /** The provider's id of who pays. */
  customer?: string;
}

/**
 * The tier of a project by its organization: free tier without an organization, or without a
 * subscription that counts (specification, States; wire section 8).
 */
export async function findTier(
  db: Db | Tx,
  { plans, organizationId, now }: { plans: Plans; organizationId: string | null; now: Date },
): Promise<Tier> {
  if (organizationId === null) return toTier(plans, undefined, now);
  return toTier(plans, await findSubscription(db, organizationId), now);
}

/**
 * The tier that a subscription gives at `now`. Active and trialing ones give their plan; past_due
 * ones, and those whose paid time has ended, still do so for the grace period, which begins with the bill that is not
 * paid or, where nobody tells, with the end of what is; canceled and unpaid ones, and plans that are no longer offered,
 * fall back to the free plan.
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

/** Whether a subscription has not ended: there is nothing to buy, and no page where it could be. */
export function goesOn(subscription: Subscription | undefined): subscription is Subscription {
  return subscription !== undefined && subscription.status !== "canceled";
}

interface NewSubscription {
  organizationId: string;
  plan: string;
  status: SubscriptionStatus;
  currentPeriodEnd: Date | null;
}

/**
 * Sets what an organization has subscribed to, where no payment provider knows.
 * @throws Fault not-found for an unknown organization, impossible for an unknown plan, conflict where the payment provider
 *   keeps the subscription
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
      `The payment provider keeps this organization's subscription (${present.status}): change it there.`,
    );
  const untold = { unpaidSince: null, cancelsAt: null, customer: null };
  const subscription = { ...given, ...untold, updatedAt: ctx.now };
  await upsertSubscription(ctx.tx, organizationId, subscription);
  await recordEvent(ctx, {
    name: "subscription.updated",
    documentId: organizationId,
    data: { plan: subscription.plan, status: subscription.status },
  });
  return subscription;
}
