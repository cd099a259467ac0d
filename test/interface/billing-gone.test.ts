import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { idOf } from "../stand-ins/stripe-account.ts";
import { sendEvent } from "../stand-ins/stripe-webhooks.ts";
import { pollUntil } from "./one-site.ts";
import { type Payer, type Paying, openPaying, webhookSecret } from "./paying.ts";

const now = () => new Date();

describe("deletion of an organization, with Stripe", () => {
  let paying: Paying;
  before(async () => {
    paying = await openPaying({}, now);
  });
  after(() => paying[Symbol.asyncDispose]());

  /** An organization without projects. */
  const newBare = async (): Promise<Payer> => {
    const payer = await paying.newPayer();
    const at = `/v1/vault/projects/${payer.project}?confirm=${payer.project}`;
    const { status } = await paying.send(at, { method: "DELETE", token: payer.token });
    assert.equal(status, 204);
    return payer;
  };
  const end = ({ token, organization }: Payer) =>
    paying.send(`/v1/vault/organizations/${organization}`, { method: "DELETE", token });
  const sessionsOf = ({ organization }: Payer) =>
    [...paying.stripe.account.checkouts.values()].filter(
      (session) => session.client_reference_id === organization,
    );
  const customerOf = (payer: Payer) => idOf(sessionsOf(payer)[0]?.customer);
  const subscriptionOf = (id: string) => paying.stripe.account.subscriptions.get(id);

  it("closes the pages that could still sell it a plan", async () => {
    const payer = await newBare();
    const { body } = await paying.checkout(payer);
    assert.equal((await end(payer)).status, 204);
    assert.deepEqual(
      sessionsOf(payer).map(({ status }) => status),
      ["expired"],
    );
    assert.throws(() => paying.stripe.account.complete(body.url), /no checkout/);
  });

  it("is rejected while a plan is paid for, even when no event reported that", async () => {
    const payer = await newBare();
    const subscription = await paying.buy(payer);
    const refused = await end(payer);
    assert.equal(refused.status, 409, JSON.stringify(refused.body));
    assert.match(
      refused.body.detail,
      /subscription to pro is active. Cancel it in the portal first/,
    );
    paying.stripe.account.cancelAtPeriodEnd(subscription);
    assert.match((await end(payer)).body.detail, /It ends on \d{4}-\d\d-\d\d\. Delete/);
    assert.equal((await paying.read(payer)).status, 200);
    paying.stripe.account.end(subscription);
    assert.equal((await end(payer)).status, 204, "no event reported the end either");
  });

  it("is rejected while a purchase awaits its first payment, and links the invoice", async () => {
    const payer = await newBare();
    assert.equal((await paying.checkout(payer)).status, 200);
    const begun = paying.stripe.account.sell(customerOf(payer), "price_pro", "incomplete");
    const invoice = paying.stripe.account.invoices.at(-1)?.hosted_invoice_url ?? "none";
    const refused = await end(payer);
    assert.equal(refused.status, 409, JSON.stringify(refused.body));
    assert.match(refused.body.detail, /purchase of pro waits for its first payment/);
    assert.ok(refused.body.detail.includes(invoice), refused.body.detail);
    paying.stripe.account.expireIncomplete(begun);
    assert.equal((await end(payer)).status, 204);
  });

  it("is rejected while Stripe does not respond or another check fails, and closes no page", async () => {
    const payer = await paying.newPayer();
    const stranger = await paying.newUser();
    assert.equal((await paying.checkout(payer)).status, 200);
    const count = paying.stripe.requests.length;
    assert.equal((await end({ ...payer, token: stranger.token })).status, 404);
    assert.match((await end(payer)).body.detail, /still has projects/);
    assert.equal(paying.stripe.requests.length, count, "Stripe receives no request");
    assert.equal(sessionsOf(payer)[0]?.status, "open");
    const bare = await newBare();
    assert.equal((await paying.checkout(bare)).status, 200);
    paying.stripe.fail(9, /sessions|subscriptions/, { status: 500, type: "api_error" });
    assert.equal((await end(bare)).status, 503);
    paying.stripe.clear();
    assert.equal((await paying.read(bare)).status, 200);
    assert.equal((await end(bare)).status, 204);
  });

  it("cancels what is paid for it later, and warns the operator; not what was sold manually", async () => {
    const payer = await newBare();
    assert.equal((await paying.checkout(payer)).status, 200);
    const customer = customerOf(payer);
    assert.equal((await end(payer)).status, 204);
    await pollUntil("the check that the deletion scheduled", async () => {
      const row = await paying.db
        .selectFrom("payment_customers")
        .select("looks")
        .where("organization_id", "=", payer.organization)
        .executeTakeFirstOrThrow();
      return row.looks >= 2 ? row : undefined;
    });
    const from = paying.stripe.events.length;
    const [active, waiting] = [
      paying.stripe.account.sell(customer, "price_pro"),
      paying.stripe.account.sell(customer, "price_business", "incomplete"),
    ];
    const byHand = paying.stripe.account.sell(customer, "price_of_support");
    const endpoint = { url: `${paying.url}/v1/billing/webhook`, secret: webhookSecret, now };
    for (const event of paying.stripe.events.slice(from))
      assert.equal(await sendEvent(endpoint, event), 204);
    await pollUntil(
      "the end of both",
      () => [active, waiting].every((id) => subscriptionOf(id)?.status === "canceled") || undefined,
    );
    assert.equal(subscriptionOf(byHand)?.status, "active");
    const isLogged = (id: string, what: string) =>
      paying.lines.some((line) => line.includes(id) && line.includes(what));
    await pollUntil(
      "all three log lines",
      () =>
        (isLogged(active, "subscription of a deleted organization ended") &&
          isLogged(waiting, "refund the payment") &&
          isLogged(byHand, "has a subscription not sold here, end it")) ||
        undefined,
    );
  });

  it("closes a page that is opened during the deletion", async () => {
    const payer = await newBare();
    const { organization } = payer;
    assert.equal((await paying.checkout(payer)).status, 200);
    // Between the check that the organization exists and the opening of the page.
    paying.stripe.fail(1, /checkout\/sessions$/, { status: 503, type: "api_error" });
    const opened = () =>
      paying.stripe.requests.filter(
        ({ method, path }) => method === "POST" && path === "/v1/checkout/sessions",
      ).length;
    const count = opened();
    const late = paying.checkout(payer, { plan: "business" });
    await pollUntil("the first attempt to open it", () => opened() > count || undefined);
    await paying.db
      .updateTable("documents")
      .set({ deleted_at: now() })
      .where("id", "=", organization)
      .execute();
    const { status, body } = await late;
    assert.equal(status, 422, JSON.stringify(body));
    assert.deepEqual(
      sessionsOf(payer).map((session) => session.status),
      ["expired", "expired"],
    );
  });
});
