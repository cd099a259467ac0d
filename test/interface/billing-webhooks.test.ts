import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { service } from "../harness.ts";
import { type Endpoint, type EventOverrides, sendEvent } from "../stand-ins/stripe-webhooks.ts";
import { openAnotherService } from "./another-service.ts";
import { pollUntil } from "./one-site.ts";
import { type Payer, type Paying, openPaying, webhookSecret } from "./paying.ts";

const DAY_MS = 86_400_000;
const at = "/v1/billing/webhook";

describe("wire section 8, webhook: signature checked, each event applied once, in any order", () => {
  let paying: Paying;
  let endpoint: Endpoint;
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  before(async () => {
    paying = await openPaying({}, now);
    endpoint = { url: paying.url + at, secret: webhookSecret, now };
  });
  after(() => paying[Symbol.asyncDispose]());

  /** Events after the first `from`. */
  const since = (from: number) => paying.stripe.events.slice(from);
  const count = () => paying.stripe.events.length;
  const deliverAll = async (events: readonly object[]) => {
    for (const event of events) assert.equal(await sendEvent(endpoint, event), 204);
  };
  const stateOf = async ({ token, project }: Payer) => {
    const { body } = await paying.send(`/v1/vault/projects/${project}`, { token });
    return `${body.billing.plan} ${body.billing.subscription}`;
  };
  const follows = (payer: Payer, state: string) =>
    pollUntil(`the state ${state}`, async () =>
      (await stateOf(payer)) === state ? state : undefined,
    );
  const updatesOf = ({ organization }: Payer) =>
    paying.db
      .selectFrom("events")
      .select("data")
      .where("name", "=", "subscription.updated")
      .where("document_id", "=", organization)
      .orderBy("id")
      .execute();
  const storedEvents = async () =>
    (await paying.db.selectFrom("payment_events").select("id").execute()).length;

  it("updates a project's billing from its organization's subscription, with one event however often Stripe repeats it", async () => {
    const payer = await paying.newPayer();
    assert.equal(await stateOf(payer), "free none");
    const from = count();
    await paying.buy(payer);
    await deliverAll(since(from));
    await follows(payer, "pro active");
    await deliverAll([...since(from), ...since(from).toReversed()]);
    const { body } = await paying.send(`/v1/vault/projects/${payer.project}`, {
      token: payer.token,
    });
    assert.match(body.billing.customer, /^cus_/);
    const info = { projectId: payer.project, name: "a", steps: [{ name: "i", layout: "info" }] };
    const paid = await paying.send("/v1/vault/cookies", { token: payer.token, json: info });
    assert.equal(paid.status, 201);
    assert.deepEqual(await updatesOf(payer), [{ data: { plan: "pro", status: "active" } }]);
  });

  it("accepts no payment on another open page of the organization once one is paid", async () => {
    const payer = await paying.newPayer();
    const { account } = paying.stripe;
    const { body } = await paying.checkout(payer);
    const opened = [...account.checkouts.values()].find(({ url }) => url === body.url);
    assert.ok(opened);
    // Two requests at once do not see each other's page.
    const other = account.createCheckout({
      price: "price_business",
      customer: opened.customer,
      client_reference_id: payer.organization,
      success_url: `${paying.url}/`,
      cancel_url: `${paying.url}/`,
    });
    const from = count();
    account.complete(body.url);
    paying.stripe.fail(1, /\/expire$/, { status: 500, type: "api_error" });
    await deliverAll(since(from));
    await follows(payer, "pro active");
    await pollUntil("the other page's end", async () =>
      other.status === "expired" ? true : undefined,
    );
    assert.throws(() => account.complete(`${other.url}`));
  });

  it("reaches the right state for upgrades, downgrades, refunds and cancellations delivered in reverse order", async () => {
    const payer = await paying.newPayer();
    const from = count();
    const id = await paying.buy(payer);
    const { account } = paying.stripe;
    account.changePrice(id, "price_business");
    account.changePrice(id, "price_pro_yearly");
    account.refund(id);
    account.changePrice(id, "price_business");
    account.cancelAtPeriodEnd(id);
    await deliverAll(since(from).toReversed());
    await follows(payer, "business active");
    const { body } = await paying.read(payer);
    assert.equal(body.cancelsAt, body.currentPeriodEnd);
    assert.ok(body.invoices.some(({ credited }: { credited: number }) => credited === 2_900));
    const middle = count();
    account.end(id);
    await deliverAll(since(middle));
    await follows(payer, "free canceled");
    // Older events arrive late, and change nothing.
    await deliverAll(
      since(from)
        .slice(0, 3)
        .map((event) => ({ ...event, id: `${event.id}x` })),
    );
    await pollUntil("the end of the jobs", async () => ((await looksOf(payer)) ? true : undefined));
    assert.equal(await stateOf(payer), "free canceled");
  });

  /** Whether every job that began has written its result or found a later one. */
  const looksOf = async ({ organization }: Payer) => {
    const row = await paying.db
      .selectFrom("payment_customers")
      .select(["looks", "written_look"])
      .where("organization_id", "=", organization)
      .executeTakeFirstOrThrow();
    return row.looks === row.written_look;
  };

  it("keeps service during the grace period of an unpaid invoice, until it is paid or the free plan applies", async () => {
    let payer = await paying.newPayer();
    const { account } = paying.stripe;
    let from = count();
    const id = await paying.buy(payer);
    await deliverAll(since(from));
    aheadMs += 30 * DAY_MS;
    payer = await paying.signIn(payer);
    from = count();
    account.renew(id, { isPaid: false });
    await deliverAll(since(from));
    await follows(payer, "pro past_due");
    aheadMs += 13 * DAY_MS;
    assert.equal(await stateOf(payer), "pro past_due");
    aheadMs += 2 * DAY_MS;
    payer = await paying.signIn(payer);
    assert.equal(await stateOf(payer), "free past_due", "15 days after the invoice");
    from = count();
    account.pay(id);
    await deliverAll(since(from));
    await follows(payer, "pro active");
    aheadMs += 15 * DAY_MS;
    payer = await paying.signIn(payer);
    from = count();
    account.renew(id, { isPaid: false });
    account.stopRetrying(id);
    await deliverAll(since(from));
    await follows(payer, "free unpaid");
  });

  it("keeps a live version when a plan ends, and checks the next publication", async () => {
    const payer = await paying.newPayer();
    const { token, project } = payer;
    let from = count();
    const id = await paying.buy(payer);
    await deliverAll(since(from));
    await follows(payer, "pro active");
    const steps = [{ name: "i", layout: "info", message: "<p>Cookies?</p>" }];
    const json = { projectId: project, name: "shop", language: "en", steps };
    assert.equal((await paying.send("/v1/vault/cookies", { token, json })).status, 201);
    const publish = async () => {
      const asked = await paying.send(`/v1/publish/jobs/${project}`, {
        token,
        json: { force: true },
      });
      assert.equal(asked.status, 202, JSON.stringify(asked.body));
      return pollUntil("the end of the job", async () => {
        const { body } = await paying.send(asked.body.links.self, { token });
        return body.status === "Done" || body.status === "Error" ? body : undefined;
      });
    };
    const done = await publish();
    assert.equal(done.status, "Done", JSON.stringify(done));
    const subscription = () =>
      done.steps.find(({ name }: { name: string }) => name === "subscription").message;
    assert.equal(subscription(), "Plan Pro; the subscription is active (stripe).");
    from = count();
    paying.stripe.account.end(id);
    await deliverAll(since(from));
    await follows(payer, "free canceled");
    const refused = await publish();
    assert.equal(refused.status, "Error");
    assert.match(refused.message, /plan Free does not include these layouts: info/);
    const live = await paying.send(`/cdn/${project}.json`);
    assert.deepEqual([live.status, live.body.hash], [200, done.hash]);
  });

  it("publishes with the last known plan while Stripe does not respond", async () => {
    const payer = await paying.newPayer();
    const { token, project } = payer;
    const from = count();
    await paying.buy(payer);
    await deliverAll(since(from));
    await follows(payer, "pro active");
    // Several attempts, since other jobs of the service may send requests too.
    paying.stripe.fail(100, /^\/v1\/subscriptions$/, { status: 503, type: "api_error" });
    const asked = await paying.send(`/v1/publish/jobs/${project}`, {
      token,
      json: { force: true },
    });
    const job = await pollUntil("the end of the job", async () => {
      const { body } = await paying.send(asked.body.links.self, { token });
      return body.status === "Done" || body.status === "Error" ? body : undefined;
    });
    paying.stripe.clear();
    assert.equal(job.status, "Done", JSON.stringify(job));
    const step = job.steps.find(({ name }: { name: string }) => name === "subscription");
    assert.match(step.message, /active \(stripe does not respond, as known since \d{4}/);
  });

  it("rejects what Stripe did not sign for this endpoint, this account and now, and stores nothing", async () => {
    const payer = await paying.newPayer();
    const from = count();
    await paying.buy(payer);
    const [event] = since(from);
    assert.ok(event);
    const stored = await storedEvents();
    const deliveries: [string, EventOverrides][] = [
      ["another secret", { secret: "whsec_ofanotheraccount" }],
      ["too old", { ageSeconds: 301 }],
      ["another body", { body: JSON.stringify({ ...event, id: "evt_other" }) }],
      ["no signature", { signature: "" }],
      ["a malformed signature", { signature: "t=1,v1=00" }],
      ["no time", { signature: "v1=00" }],
      ["an empty body", { body: "" }],
    ];
    for (const [what, overrides] of deliveries)
      assert.equal(await sendEvent(endpoint, event, overrides), 400, what);
    for (const change of [{ account: "acct_1" }, { livemode: true }, { id: "" }])
      assert.equal(await sendEvent(endpoint, { ...event, ...change }), 400, JSON.stringify(change));
    assert.equal(await storedEvents(), stored);
    assert.equal(await sendEvent(endpoint, event, { ageSeconds: 290 }), 204);
  });

  it("accepts and ignores events about another service's customer, or about none", async () => {
    const event = (id: string, object: object) => ({
      id,
      object: "event",
      type: "customer.subscription.updated",
      livemode: false,
      data: { object },
    });
    await deliverAll([
      event("evt_a", { object: "subscription", id: "sub_1", customer: "cus_of_another_product" }),
      event("evt_b", { object: "price", id: "price_1" }),
      event("evt_c", { object: "subscription", customer: { id: "cus_1" } }),
    ]);
    const payer = await paying.newPayer();
    const from = count();
    await paying.buy(payer);
    await deliverAll(since(from));
    await follows(payer, "pro active");
    const asked = JSON.stringify(paying.stripe.requests);
    assert.ok(!asked.includes("cus_of_another_product"));
  });

  it("writes an event once that two nodes receive concurrently, and retries a failed job", async () => {
    await using other = await openAnotherService(paying.databaseUrl, paying.env, now);
    const payer = await paying.newPayer();
    const from = count();
    await paying.buy(payer);
    paying.stripe.fail(3, /^\/v1\/subscriptions$/, { status: 500, type: "api_error" });
    const nodes = [endpoint, { ...endpoint, url: other.url + at }];
    const stored = await storedEvents();
    const answers = await Promise.all(
      since(from).flatMap((event) => nodes.map((node) => sendEvent(node, event))),
    );
    assert.ok(answers.every((status) => status === 204));
    assert.equal(await storedEvents(), stored + since(from).length);
    await follows(payer, "pro active");
    assert.deepEqual(await updatesOf(payer), [{ data: { plan: "pro", status: "active" } }]);
  });

  it("rejects signed bodies that are not events, and signatures with a future time", async () => {
    const whole = {
      id: "evt_odd",
      object: "event",
      livemode: false,
      type: "x",
      data: { object: {} },
    };
    const { data: _data, ...noData } = whole;
    const { id: _id, ...noId } = whole;
    const { type: _type, ...noType } = whole;
    const odd: unknown[] = [null, 1, "x", [], noData, noId, noType];
    odd.push({ ...whole, type: 123 }, { ...whole, data: null }, { ...whole, livemode: "false" });
    for (const event of odd)
      assert.equal(await sendEvent(endpoint, event as object), 400, JSON.stringify(event));
    assert.equal(await sendEvent(endpoint, whole, { ageSeconds: -4_000 }), 400);
    assert.equal(
      await sendEvent(endpoint, { ...whole, data: { object: null } }, { ageSeconds: -60 }),
      204,
    );
  });
});

describe("the webhook without a payment provider", () => {
  it("returns 404", async () => {
    const { status } = await service.fetch(at, { json: { id: "evt_1" } });
    assert.equal(status, 404);
  });
});
