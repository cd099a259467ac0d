import assert from "node:assert/strict";
import { test } from "node:test";
import type { Stripe } from "stripe";
import { openStripeStandIn } from "../../../../test/stand-ins/stripe.ts";
import {
  newInvoice,
  newPrice,
  newSubscription,
} from "../../../../test/stand-ins/stripe-objects.ts";
import { type PaymentsError, type Subscription, toEffectiveSubscription } from "./payments.ts";
import { openPrices, toPlanPrice } from "./stripe-prices.ts";
import { openStripeClient } from "./stripe-client.ts";
import { callStripe } from "./stripe-errors.ts";
import { pickSubscription, toInvoice, toPaymentSource, toSubscription } from "./stripe-facts.ts";

const secretKey = "sk_test_standinkey";
const prices = new Map([["price_pro", "pro"]]);
const now = new Date("2026-03-20T12:00:00.000Z");
const start = now.getTime() / 1_000;
const period = { start, end: start + 1_000 };
const newOne = (
  status: Stripe.Subscription.Status,
  change: Partial<Stripe.Subscription> = {},
): Stripe.Subscription => ({
  ...newSubscription({ customer: "cus_1", price: "price_pro", period, status, method: "pm_1" }),
  ...change,
});

test("reports Stripe as unavailable after three timed out attempts", async () => {
  await using stripe = await openStripeStandIn({ secretKey });
  stripe.fail(9, /customers/, "silence");
  using client = openStripeClient({ url: stripe.url, secretKey, timeoutMs: 20 });
  const failed = callStripe("read a customer", () => client.stripe.customers.retrieve("cus_1"));
  await assert.rejects(failed, (error: PaymentsError) => error.isUnavailable);
  assert.equal(stripe.requests.length, 3);
});

test("reports a wrong key as a permanent error without the key", async () => {
  await using stripe = await openStripeStandIn({ secretKey });
  using client = openStripeClient({ url: stripe.url, secretKey: "sk_test_another" });
  const failed = callStripe("read a customer", () => client.stripe.customers.retrieve("cus_1"));
  await assert.rejects(failed, (error: PaymentsError) => {
    assert.equal(error.isUnavailable, false);
    assert.match(error.message, /StripeAuthenticationError, 401/);
    assert.doesNotMatch(error.message, /another/);
    return true;
  });
});

const offer = {
  prices: new Map([
    ["price_business", "business"],
    ["price_pro", "pro"],
  ]),
  plans: ["free", "pro", "business"],
};
const pick = (...found: Stripe.Subscription[]) => pickSubscription(found, offer);
const newOf = (price: string, status: Stripe.Subscription.Status, created = start) => ({
  ...newSubscription({ customer: "cus_1", price, period, status, method: "pm_1" }),
  created,
});

test("selects a subscription by state, then plan, then creation", () => {
  const canceled = newOne("canceled", { created: start + 9 });
  const late = newOne("past_due");
  const older = newOne("active");
  const newer = newOne("active", { created: start + 1 });
  assert.equal(pick(canceled, late, older, newer), newer);
  assert.equal(pick(canceled, late), late);
  const business = newOf("price_business", "active", start - 9);
  assert.equal(pick(newer, business, older), business);
  const unpaid = newOf("price_business", "past_due", start + 9);
  assert.equal(pick(unpaid, older), older);
  assert.equal(pick(newOne("incomplete"), newOne("incomplete_expired")), undefined);
  assert.equal(pick(newOne("a state of the future")), undefined);
});

test("selects a subscription without a plan only when there is no other", () => {
  const other = newOf("price_of_support", "active", start + 9);
  for (const status of ["active", "trialing", "past_due", "unpaid", "canceled"] as const) {
    const pro = newOne(status);
    assert.equal(pick(other, pro), pro, status);
  }
  assert.equal(pick(newOne("incomplete"), other), other);
  const both = newOf("price_of_support", "active", start + 9);
  both.items.data.push(...newOne("active").items.data);
  assert.equal(pick(newOne("active"), both), both, "one price of a plan is enough");
});

test("counts an unpaid invoice from when it was sent", () => {
  const invoice = newInvoice({ customer: "cus_1", number: 1, at: start + 5, status: "open" });
  const facts = (given: Stripe.Subscription) => toSubscription(given, { prices, now });
  const at = (seconds: number) => new Date(seconds * 1_000);
  const late = facts(newOne("past_due", { latest_invoice: invoice }));
  assert.deepEqual(late.unpaidSince, at(start + 5));
  assert.deepEqual(facts(newOne("past_due")).unpaidSince, at(start));
  const paid = facts(newOne("active", { latest_invoice: invoice }));
  assert.deepEqual([paid.unpaidSince, paid.currentPeriodEnd], [null, at(period.end)]);
});

test("a subscription has its cancellation date, and the price id without a plan", () => {
  const facts = (given: Stripe.Subscription) => toSubscription(given, { prices, now });
  const ending = facts(newOne("active", { cancel_at_period_end: true }));
  assert.deepEqual(ending.cancelsAt, ending.currentPeriodEnd);
  assert.equal(facts(newOne("paused")).status, "unpaid");
  const other = newSubscription({
    customer: "cus_1",
    price: "price_of_old",
    period,
    status: "active",
    method: "pm_1",
  });
  assert.equal(facts(other).plan, "price_of_old");
});

test("omits draft invoices and unexpanded payment methods", () => {
  const given = { customer: "cus_1", number: 1, at: start };
  assert.equal(toInvoice(newInvoice({ ...given, status: "draft" })), undefined);
  assert.equal(toInvoice(newInvoice({ ...given, status: "void" }))?.status, "void");
  assert.equal(toPaymentSource("pm_1"), undefined);
});

test("prefers the provider's subscription unless it has ended and the operator has set one", () => {
  const ours = (customer: string | null, status: Subscription["status"] = "active") => ({
    ...toSubscription(newOne("active"), { prices, now }),
    customer,
    status,
  });
  const set = ours(null);
  const [active, ended] = [ours("cus_1"), ours("cus_1", "canceled")];
  assert.equal(toEffectiveSubscription(set, active), active);
  assert.equal(toEffectiveSubscription(set, ended), set);
  assert.equal(toEffectiveSubscription(set, undefined), set);
  assert.equal(toEffectiveSubscription(active, ended), ended);
  assert.equal(toEffectiveSubscription(active, undefined)?.status, "canceled");
  assert.equal(toEffectiveSubscription(undefined, undefined), undefined);
});

test("caches the first price of each plan for ten minutes, without plans that have no single price", async () => {
  await using stripe = await openStripeStandIn({ secretKey });
  using client = openStripeClient({ url: stripe.url, secretKey });
  let at = now;
  const sold = new Map([
    ["price_pro_yearly", "pro"],
    ["price_pro", "pro"],
    ["price_of_nobody", "gold"],
  ]);
  const list = openPrices({ stripe: client.stripe, prices: sold, now: () => at });
  const found = { plan: "pro", amount: 2_900, currency: "eur", interval: "year", intervalCount: 1 };
  assert.deepEqual(await list(), [found]);
  assert.deepEqual(await list(), [found]);
  assert.equal(stripe.requests.length, 2);
  at = new Date(now.getTime() + 600_000);
  stripe.fail(9, /prices/, { status: 500, type: "api_error" });
  await assert.rejects(list(), (error: PaymentsError) => error.isUnavailable);
  stripe.clear();
  assert.deepEqual(await list(), [found], "a failure is not cached");
  const once = { ...newPrice("price_pro"), recurring: null };
  assert.equal(toPlanPrice("pro", once), undefined);
  assert.equal(toPlanPrice("pro", { ...newPrice("price_pro"), unit_amount: null }), undefined);
});
