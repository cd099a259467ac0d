import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { idOf } from "../stand-ins/stripe-account.ts";
import { openPaying } from "./paying.ts";

describe("several subscriptions of one organization at Stripe", () => {
  it("what else Stripe sells to an organization, newer than its plan, takes nothing from it", async () => {
    await using paying = await openPaying();
    const payer = await paying.newPayer();
    const { account } = paying.stripe;
    const plan = await paying.buy(payer);
    const customer = idOf(account.subscriptions.get(plan)?.customer);
    const support = account.sell(customer, "price_of_support");
    const { body } = await paying.read(payer);
    assert.deepEqual([body.plan, body.status], ["pro", "active"]);
    account.sell(customer, "price_business", "incomplete");
    assert.equal((await paying.read(payer)).body.plan, "pro", "its first bill is not paid");
    account.end(plan);
    const ended = await paying.read(payer);
    assert.equal(ended.body.status, "canceled");
    assert.equal((await paying.checkout(payer)).status, 200, "what is no plan blocks none");
    account.sell(customer, "price_pro_yearly");
    account.sell(customer, "price_business");
    account.sell(customer, "price_pro");
    assert.equal((await paying.read(payer)).body.plan, "business", "the plan that gives most");
    assert.equal(account.subscriptions.get(support)?.status, "active");
  });
});
