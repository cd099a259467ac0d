import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { pino } from "pino";
import { service } from "../../../../test/harness.ts";
import { newId } from "../../../../test/stand-ins/stripe-objects.ts";
import { openStripeStandIn } from "../../../../test/stand-ins/stripe.ts";
import { newDocumentId } from "../../kernel/ids.ts";
import { openStripePayments } from "../../platform/payments/stripe.ts";
import { findSubscription } from "../../platform/payments/store.ts";
import { toPlans } from "./plans.ts";
import { type Refresh, type Refreshing, reconcile, refreshSubscription } from "./refresh.ts";

const secretKey = "sk_test_standinkey";
const log = pino({ level: "silent" });
const { db, clock, config } = service;

/** A node without queues: the test runs the jobs that it sends. */
async function openNode(opened: AsyncDisposableStack) {
  const stripe = opened.use(await openStripeStandIn({ secretKey }));
  const prices = new Map([
    ["price_pro", "pro"],
    ["price_business", "business"],
  ]);
  const plans = ["free", "pro", "business"];
  const options = { url: stripe.url, secretKey, webhookSecret: "whsec_standin", prices, plans };
  const payments = opened.use(openStripePayments({ ...options, db, now: clock.now }));
  const sent: Refresh[] = [];
  const jobs: Refreshing["jobs"] = {
    sendJob: async (_tx, { data }) => void sent.push(data as Refresh),
  };
  const node = { db, now: clock.now, plans: toPlans(config), payments, jobs, log };
  const buy = async (plan = "pro") => {
    const organizationId = newDocumentId(clock.now());
    const back = { successUrl: "https://a.example/", cancelUrl: "https://a.example/" };
    const given = { organizationId, title: newId("org"), plan, key: undefined, ...back };
    const page = await payments.charging?.openCheckout(given);
    return { organizationId, subscription: stripe.account.complete(page?.url ?? "") };
  };
  return { node, stripe, sent, buy };
}

const stateOf = async ({ organizationId }: Refresh) => {
  const found = await findSubscription(db, organizationId);
  return found ? `${found.plan} ${found.status}` : "none";
};

describe("refreshes of subscriptions", () => {
  it("reconcile every customer at night, also when all events were lost", async () => {
    await using opened = new AsyncDisposableStack();
    const { node, sent, buy } = await openNode(opened);
    const bought = [await buy(), await buy("business")];
    await reconcile(node);
    const ours = sent.filter(({ organizationId }) =>
      bought.some((one) => one.organizationId === organizationId),
    );
    assert.equal(ours.length, 2);
    for (const refresh of ours) await refreshSubscription(node, refresh);
    assert.deepEqual(await Promise.all(bought.map(stateOf)), ["pro active", "business active"]);
    sent.length = 0;
    await reconcile(node);
    assert.ok(
      !sent.some(({ organizationId }) => organizationId === bought[0]?.organizationId),
      "a customer refreshed within the hour is skipped",
    );
  });

  it("do not overwrite the result of a refresh that started later", async () => {
    await using opened = new AsyncDisposableStack();
    const { node, stripe, buy } = await openNode(opened);
    const bought = await buy();
    const seen = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const slow: Refreshing = {
      ...node,
      payments: {
        ...node.payments,
        async findSubscription(organizationId) {
          const found = await node.payments.findSubscription(organizationId);
          seen.resolve();
          await held.promise;
          return found;
        },
      },
    };
    const early = refreshSubscription(slow, bought);
    await seen.promise;
    stripe.account.end(bought.subscription);
    await refreshSubscription(node, bought);
    held.resolve();
    await early;
    assert.equal(await stateOf(bought), "pro canceled");
  });

  it("cancel the subscription of a deleted customer, and ignore unknown organizations", async () => {
    await using opened = new AsyncDisposableStack();
    const { node, stripe, buy } = await openNode(opened);
    const bought = await buy();
    await refreshSubscription(node, bought);
    const found = await findSubscription(db, bought.organizationId);
    stripe.account.deleteCustomer(found?.customer ?? "");
    stripe.account.subscriptions.clear();
    await refreshSubscription(node, bought);
    assert.equal(await stateOf(bought), "pro canceled");
    const unknown = { organizationId: newDocumentId(clock.now()) };
    await refreshSubscription(node, unknown);
    assert.equal(await stateOf(unknown), "none");
  });
});
