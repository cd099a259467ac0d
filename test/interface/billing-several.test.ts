import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { idOf } from "../stand-ins/stripe-account.ts";
import { openPaying } from "./paying.ts";

describe("several subscriptions of one organization at Stripe", () => {
  it("a newer Stripe subscription to something other than a plan does not affect the plan", async () => {
    await using paying = await openPaying();
    const payer = await paying.newPayer();
    const { account } = paying.stripe;
    const plan = await paying.buy(payer);
    const customer = idOf(account.subscriptions.get(plan)?.customer);
    const support = account.sell(customer, "price_of_support");
    const { body } = await paying.read(payer);
    assert.deepEqual([body.plan, body.status], ["pro", "active"]);
    const begun = account.sell(customer, "price_business", "incomplete");
    assert.equal((await paying.read(payer)).body.plan, "pro", "its first invoice is unpaid");
    account.end(plan);
    account.expireIncomplete(begun);
    const ended = await paying.read(payer);
    assert.equal(ended.body.status, "canceled");
    assert.equal((await paying.checkout(payer)).status, 200, "other subscriptions block none");
    account.sell(customer, "price_pro_yearly");
    account.sell(customer, "price_business");
    account.sell(customer, "price_pro");
    assert.equal((await paying.read(payer)).body.plan, "business", "the most extensive plan");
    assert.equal(account.subscriptions.get(support)?.status, "active");
  });

  it("a purchase whose first invoice is unpaid blocks a second one, and links the invoice", async () => {
    await using paying = await openPaying();
    const payer = await paying.newPayer();
    const { account } = paying.stripe;
    assert.equal((await paying.checkout(payer)).status, 200);
    const session = [...account.checkouts.values()].find(
      ({ client_reference_id: id }) => id === payer.organization,
    );
    const customer = idOf(session?.customer);
    account.sell(customer, "price_of_support", "incomplete");
    assert.equal((await paying.checkout(payer)).status, 200, "other subscriptions block none");
    const begun = account.sell(customer, "price_pro", "incomplete");
    const invoice = account.invoices.at(-1)?.hosted_invoice_url ?? "none";
    const count = account.checkouts.size;
    const refused = await paying.checkout(payer, { plan: "business" });
    assert.equal(refused.status, 409);
    assert.ok(refused.body.detail.includes(invoice), refused.body.detail);
    assert.match(refused.body.detail, /plan pro waits for its first payment/);
    assert.equal(account.checkouts.size, count, "no page was opened");
    const { body } = await paying.read(payer);
    const { checkout, bill: linked } = body.links;
    assert.deepEqual([body.plan, checkout, linked], ["free", undefined, invoice]);
    account.pay(begun);
    assert.equal((await paying.read(payer)).body.links.bill, undefined);
    assert.match((await paying.checkout(payer)).body.detail, /has a subscription \(active\)/);
    account.end(begun);
    const next = account.sell(customer, "price_pro", "incomplete");
    account.expireIncomplete(next);
    assert.equal((await paying.checkout(payer)).status, 200, "it expires after a day");
    assert.ok((await paying.read(payer)).body.links.checkout);
  });
});
