import assert from "node:assert/strict";
import { test } from "node:test";
import type { Subscription } from "../../platform/payments/payments.ts";
import { toTier } from "./billing.ts";
import { toPlans } from "./plans.ts";

const plans = toPlans({
  freeTier: { fileBytesMax: 1_000 },
  billing: { plans: {}, graceDays: 14, stripe: undefined },
});
const now = new Date("2026-03-20T12:00:00.000Z");
const daysAgo = (days: number): Date => new Date(now.getTime() - days * 86_400_000);
const subscription = (given: Partial<Subscription>): Subscription => ({
  plan: "pro",
  status: "active",
  currentPeriodEnd: null,
  unpaidSince: null,
  cancelsAt: null,
  customer: null,
  updatedAt: daysAgo(100),
  ...given,
});
const planOf = (given: Partial<Subscription>): string =>
  toTier(plans, subscription(given), now).plan.name;

test("gives the free plan without a subscription, with the configured size", () => {
  const tier = toTier(plans, undefined, now);
  assert.equal(tier.status, "none");
  assert.equal(tier.plan.name, "free");
  assert.equal(tier.plan.fileBytesMax, 1_000);
});

test("keeps the layouts info, iab and soft_consent for paid plans", () => {
  assert.deepEqual(plans.free.layouts, ["welcome", "category"]);
  const pro = plans.byName.get("pro");
  assert.deepEqual(pro?.layouts, ["welcome", "category", "info", "iab", "soft_consent"]);
});

test("gives the plan of an active or trialing subscription", () => {
  assert.equal(planOf({ status: "active" }), "pro");
  assert.equal(planOf({ status: "trialing", currentPeriodEnd: daysAgo(-3) }), "pro");
});

test("past_due keeps service for 14 days after the paid time", () => {
  assert.equal(planOf({ status: "past_due", currentPeriodEnd: daysAgo(14) }), "pro");
  assert.equal(planOf({ status: "past_due", currentPeriodEnd: daysAgo(15) }), "free");
  assert.equal(planOf({ status: "past_due", updatedAt: daysAgo(13) }), "pro");
  assert.equal(planOf({ status: "past_due", updatedAt: daysAgo(15) }), "free");
});

test("an active subscription whose paid time has ended counts as past_due", () => {
  const ended = toTier(plans, subscription({ currentPeriodEnd: daysAgo(1) }), now);
  assert.deepEqual([ended.plan.name, ended.status], ["pro", "past_due"]);
  assert.equal(planOf({ currentPeriodEnd: daysAgo(15) }), "free");
});

test("past_due keeps service for the configured days after the unpaid invoice", () => {
  const end = daysAgo(-27);
  const unpaid = { status: "past_due", currentPeriodEnd: end } as const;
  assert.equal(planOf({ ...unpaid, unpaidSince: daysAgo(14) }), "pro");
  assert.equal(planOf({ ...unpaid, unpaidSince: daysAgo(15) }), "free");
  const strict = toPlans({
    freeTier: { fileBytesMax: 1_000 },
    billing: { plans: {}, graceDays: 0, stripe: undefined },
  });
  const tier = toTier(strict, subscription({ ...unpaid, unpaidSince: daysAgo(1) }), now);
  assert.deepEqual([tier.plan.name, tier.status], ["free", "past_due"]);
});

test("canceled and unpaid fall back to the free plan at once", () => {
  assert.equal(planOf({ status: "canceled", currentPeriodEnd: daysAgo(-10) }), "free");
  assert.equal(planOf({ status: "unpaid", currentPeriodEnd: daysAgo(-10) }), "free");
});

test("a plan that is no longer offered gives the free plan", () => {
  assert.equal(planOf({ plan: "gone" }), "free");
});
