import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { operatorToken, service } from "../harness.ts";
import { textAt } from "../stand-ins/stripe-forms.ts";
import { type Paying, openPaying, secretKey } from "./paying.ts";

const unknown = "ffffffffffffffffffffffff";

describe("wire section 8, checkout and portal, with Stripe", () => {
  let paying: Paying;
  before(async () => {
    paying = await openPaying();
  });
  after(() => paying[Symbol.asyncDispose]());

  const sessionsOf = (organization: string) =>
    [...paying.stripe.account.checkouts.values()].filter(
      (session) => session.client_reference_id === organization,
    );
  const customersOf = (organization: string) =>
    [...paying.stripe.account.customers.values()].flatMap((customer) =>
      customer.deleted !== true && customer.metadata["organizationId"] === organization
        ? [customer]
        : [],
    );
  const lastOf = (path: string) =>
    paying.stripe.requests.findLast((one) => one.method === "POST" && one.path === path);
  const openedBy = ({ organization }: { organization: string }) =>
    paying.db
      .selectFrom("events")
      .select(["name", "data"])
      .where("document_id", "=", organization)
      .where("name", "like", "%.opened")
      .orderBy("id")
      .execute();

  it("opens Stripe's page for the plan's first price, with the organization as customer", async () => {
    const payer = await paying.newPayer();
    const { status, body } = await paying.checkout(payer);
    assert.equal(status, 200, JSON.stringify(body));
    const [session] = sessionsOf(payer.organization);
    assert.deepEqual(body, { url: session?.url });
    const form = lastOf("/v1/checkout/sessions")?.form ?? {};
    assert.equal(textAt(form, "line_items", "0", "price"), "price_pro");
    assert.equal(textAt(form, "mode"), "subscription");
    assert.equal(textAt(form, "tax_id_collection", "enabled"), "true");
    assert.equal(
      textAt(form, "subscription_data", "metadata", "organizationId"),
      payer.organization,
    );
    assert.deepEqual(
      [session?.success_url, session?.cancel_url],
      [`${paying.url}/`, `${paying.url}/`],
    );
    const [customer] = customersOf(payer.organization);
    assert.equal(session?.customer, customer?.id);
    assert.equal(customer?.description, "Shops Ltd");
    assert.equal(customer?.email, null, "no e-mail address is sent");
    assert.deepEqual(await openedBy(payer), [{ name: "checkout.opened", data: { plan: "pro" } }]);
  });

  it("sends the API version it was written for, and an idempotency key for each POST", () => {
    assert.ok(paying.stripe.requests.length > 0);
    for (const { method, version, key } of paying.stripe.requests) {
      assert.equal(version, "2026-10-28.endive");
      if (method === "POST") assert.ok(key);
    }
  });

  it("closes the page that was opened before, and keeps the customer", async () => {
    const payer = await paying.newPayer();
    const first = await paying.checkout(payer);
    const second = await paying.checkout(payer, { plan: "business" });
    assert.notEqual(first.body.url, second.body.url);
    assert.deepEqual(
      sessionsOf(payer.organization).map(({ status }) => status),
      ["expired", "open"],
    );
    assert.equal(customersOf(payer.organization).length, 1);
    assert.throws(() => paying.stripe.account.complete(first.body.url));
  });

  it("returns the same page for the same Idempotency-Key, 422 for another body, and opens one for two concurrent requests", async () => {
    const payer = await paying.newPayer();
    const headers = { "idempotency-key": randomUUID() };
    const both = await Promise.all([
      paying.checkout(payer, {}, headers),
      paying.checkout(payer, {}, headers),
    ]);
    const again = await paying.checkout(payer, {}, headers);
    const urls = [...both, again].map(({ status, body }) => `${status} ${body.url}`);
    assert.equal(new Set(urls).size, 1, urls.join("\n"));
    assert.equal(again.headers.get("idempotency-replayed"), "true");
    assert.deepEqual(
      sessionsOf(payer.organization).map(({ status }) => status),
      ["open"],
    );
    assert.equal(customersOf(payer.organization).length, 1);
    assert.equal((await openedBy(payer)).length, 1);
    const other = await paying.checkout(payer, { plan: "business" }, headers);
    assert.equal(other.status, 422);
    assert.match(other.body.detail, /Idempotency-Key was already used with a different body/);
    const somebody = await paying.newPayer();
    assert.notEqual((await paying.checkout(somebody, {}, headers)).body.url, again.body.url);
  });

  it("redirects to the service's origin or a configured one, and nowhere else", async () => {
    const payer = await paying.newPayer();
    const fine = {
      successUrl: "https://admin.example/billing?done={CHECKOUT_SESSION_ID}#top",
      cancelUrl: `${paying.url}/docs`,
    };
    assert.equal((await paying.checkout(payer, fine)).status, 200);
    const [session] = sessionsOf(payer.organization);
    assert.equal(new URL(session?.success_url ?? "").origin, "https://admin.example");
    const elsewhere = [
      "https://evil.example/",
      "https://admin.example.evil.example/",
      "https://admin.example@evil.example/",
      "https://user:pw@admin.example/",
      "https://admin.example:8443/",
      "http://admin.example/",
      String.raw`https://evil.example\@admin.example/`,
      "//evil.example/",
      "/relative",
      "javascript:alert(1)//https://admin.example",
      "data:text/html,https://admin.example",
      "https://admin.example%2eevil.example/",
    ];
    const count = paying.stripe.requests.length;
    for (const url of elsewhere) {
      const { status, body } = await paying.checkout(payer, { successUrl: url });
      assert.equal(status, 400, url);
      assert.equal(body.errors[0].path, "/successUrl");
      assert.equal((await paying.checkout(payer, { cancelUrl: url })).status, 400, url);
      const json = { organizationId: payer.organization, returnUrl: url };
      const portal = await paying.send("/v1/billing/portal", { token: payer.token, json });
      assert.equal(portal.status, 400, url);
    }
    assert.equal(paying.stripe.requests.length, count, "Stripe receives no request");
  });

  it("is for owners: an editor is forbidden, and for others the organization is not found", async () => {
    const payer = await paying.newPayer();
    const editor = await paying.newUser();
    const stranger = await paying.newUser();
    await paying.send(`/v1/vault/organizations/${payer.organization}/users`, {
      token: payer.token,
      json: { userId: editor.id, roles: ["editor"] },
    });
    const count = paying.stripe.requests.length;
    for (const path of ["/v1/billing/checkout", "/v1/billing/portal"]) {
      const ask = (token: string | undefined, organizationId = payer.organization) =>
        paying.send(path, {
          json: { organizationId, plan: "pro" },
          ...(token === undefined ? {} : { token }),
        });
      assert.equal((await ask(undefined)).status, 403);
      assert.equal((await ask(editor.token)).status, 403);
      const foreign = await ask(stranger.token);
      assert.equal(foreign.status, 422);
      assert.deepEqual(foreign.body.errors, (await ask(stranger.token, unknown)).body.errors);
    }
    const invoices = `/v1/billing/organizations/${payer.organization}/invoices`;
    assert.equal((await paying.send(invoices)).status, 403);
    assert.equal((await paying.send(invoices, { token: editor.token })).status, 403);
    assert.equal((await paying.send(invoices, { token: stranger.token })).status, 404);
    assert.equal(paying.stripe.requests.length, count, "Stripe receives no request");
  });

  it("names a plan that cannot be bought", async () => {
    const payer = await paying.newPayer();
    for (const plan of ["free", "gold"]) {
      const { status, body } = await paying.checkout(payer, { plan });
      assert.equal(status, 422);
      assert.deepEqual(body.errors, [{ path: "/plan", message: "must be one of pro, business" }]);
    }
  });

  it("shows a paying owner plan, payment source, tax ids and invoices, and opens the portal", async () => {
    const payer = await paying.newPayer();
    const { links } = (await paying.read(payer)).body;
    assert.deepEqual(
      [links.checkout, links.portal],
      [`${paying.url}/v1/billing/checkout`, undefined],
    );
    const subscription = await paying.buy(payer);
    const [customer] = customersOf(payer.organization);
    paying.stripe.account.addTaxId(customer?.id ?? "", "FR12345678901");
    const { status, body } = await paying.read(payer);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.plan, body.status, body.cancelsAt], ["pro", "active", null]);
    assert.ok(new Date(body.currentPeriodEnd) > service.clock.now());
    assert.deepEqual(body.paymentSource, {
      type: "card",
      brand: "visa",
      last4: "4242",
      expiryMonth: 12,
      expiryYear: 2030,
    });
    assert.deepEqual(
      [body.links.checkout, body.links.portal],
      [undefined, `${paying.url}/v1/billing/portal`],
    );
    const plans = await paying.send("/v1/billing/plans");
    assert.deepEqual(
      plans.body.map(({ name, canBuy }: { name: string; canBuy: boolean }) => [name, canBuy]),
      [
        ["free", false],
        ["pro", true],
        ["business", true],
      ],
    );
    const monthly = { amount: 2_900, currency: "eur", interval: "month", intervalCount: 1 };
    assert.deepEqual(
      new Map(body.prices.map(({ plan, ...price }: { plan: string }) => [plan, price])),
      new Map([
        ["pro", monthly],
        ["business", monthly],
      ]),
    );
    assert.deepEqual(body.taxIds, [{ type: "eu_vat", value: "FR12345678901" }]);
    const [invoice, ...more] = body.invoices;
    assert.deepEqual(more, []);
    assert.deepEqual(
      [invoice.status, invoice.total, invoice.amountPaid, invoice.currency],
      ["paid", 2_900, 2_900, "eur"],
    );
    assert.match(invoice.links.pdf, /^https:.*pdf$/);
    const again = await paying.checkout(payer);
    assert.equal(again.status, 409);
    assert.match(again.body.detail, /has a subscription \(active\)\. Change it in the portal/);
    const portal = await paying.send("/v1/billing/portal", {
      token: payer.token,
      json: { organizationId: payer.organization, returnUrl: "https://admin.example/billing" },
    });
    assert.equal(portal.status, 200, JSON.stringify(portal.body));
    assert.match(portal.body.url, /^https:\/\/billing\.stripe\.example\//);
    const form = lastOf("/v1/billing_portal/sessions")?.form ?? {};
    assert.equal(textAt(form, "customer"), customer?.id);
    assert.equal(textAt(form, "return_url"), "https://admin.example/billing");
    const keyed = (returnUrl: string) =>
      paying.send("/v1/billing/portal", {
        token: payer.token,
        headers: { "idempotency-key": "portal-1" },
        json: { organizationId: payer.organization, returnUrl },
      });
    const first = await keyed("https://admin.example/one");
    const replayed = await keyed("https://admin.example/one");
    assert.deepEqual(replayed.body, first.body);
    assert.equal(replayed.headers.get("idempotency-replayed"), "true");
    assert.equal((await keyed("https://admin.example/two")).status, 422);
    paying.stripe.account.end(subscription);
    assert.equal((await paying.read(payer)).body.status, "canceled");
    assert.equal((await paying.checkout(payer)).status, 200, "and can buy again");
  });

  it("opens no portal for an organization that never bought anything", async () => {
    const payer = await paying.newPayer();
    const json = { organizationId: payer.organization };
    const { status, body } = await paying.send("/v1/billing/portal", { token: payer.token, json });
    assert.equal(status, 409);
    assert.match(body.detail, /Start with a checkout/);
  });

  it("pages invoices, newest first, without drafts and those of others", async () => {
    const payer = await paying.newPayer();
    const id = await paying.buy(payer);
    await paying.buy(await paying.newPayer());
    for (let month = 0; month < 4; month += 1) {
      paying.stripe.account.renew(id, { isPaid: true });
      paying.stripe.account.addDraft(id);
    }
    paying.stripe.account.refund(id);
    const numbers: string[] = [];
    let next = `/v1/billing/organizations/${payer.organization}/invoices?limit=2`;
    let pages = 0;
    for (; next; pages += 1) {
      const { status, body } = await paying.send(next, { token: payer.token });
      assert.equal(status, 200, JSON.stringify(body));
      assert.ok(body.items.length <= 2);
      numbers.push(...body.items.map((item: { number: string }) => item.number));
      next = body.links.next;
    }
    assert.ok(pages >= 3);
    assert.equal(numbers.length, 5);
    assert.deepEqual(numbers, numbers.toSorted().toReversed());
    for (const cursor of ["in_unknown", "sub_1", "..%2f"]) {
      const bad = `/v1/billing/organizations/${payer.organization}/invoices?cursor=${cursor}`;
      const { status, body } = await paying.send(bad, { token: payer.token });
      assert.equal(status, 400, cursor);
      assert.equal(body.errors[0].path, "?cursor");
    }
  });

  it("recreates a customer that was deleted at Stripe", async () => {
    const payer = await paying.newPayer();
    await paying.buy(payer);
    const [customer] = customersOf(payer.organization);
    paying.stripe.account.deleteCustomer(customer?.id ?? "");
    assert.deepEqual((await paying.read(payer)).body.status, "canceled");
    assert.equal((await paying.checkout(payer)).status, 200);
    const [other] = customersOf(payer.organization);
    assert.ok(other && other.id !== customer?.id);
  });

  it("retries an interrupted request, and creates one customer and one page", async () => {
    const payer = await paying.newPayer();
    paying.stripe.fail(1, /^\/v1\/customers$/, "lost");
    paying.stripe.fail(1, /^\/v1\/checkout\/sessions$/, "lost");
    paying.stripe.fail(1, /^\/v1\/subscriptions$/, "cut");
    const { status, body } = await paying.checkout(payer);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(customersOf(payer.organization).length, 1);
    assert.equal(sessionsOf(payer.organization).length, 1);
  });

  it("returns 503 with a delay while Stripe does not respond, and logs neither people nor keys", async () => {
    const payer = await paying.newPayer();
    await paying.buy(payer);
    const from = paying.lines.length;
    paying.stripe.fail(3, /^\/v1\/subscriptions$/, { status: 500, type: "api_error" });
    const { status, headers, body } = await paying.read(payer);
    assert.equal(status, 503);
    assert.ok(headers.get("retry-after"));
    assert.match(body.detail, /payment provider does not respond/);
    paying.stripe.fail(1, /^\/v1\/subscriptions$/, { status: 429, type: "rate_limit_error" });
    assert.equal((await paying.read(payer)).status, 503);
    assert.equal((await paying.read(payer)).status, 200);
    const logged = paying.lines.slice(from).join("");
    assert.match(
      logged,
      /Stripe could not list subscriptions \(StripeAPIError, 500, req_standin\)/,
    );
    assert.ok(!logged.includes("ada@example.org") && !logged.includes(secretKey));
  });

  it("lets an operator set what Stripe does not manage, and nothing else", async () => {
    const [byHand, payer] = [await paying.newPayer(), await paying.newPayer()];
    await paying.buy(payer);
    const set = (organization: string, json: object) =>
      paying.send(`/v1/billing/organizations/${organization}`, {
        method: "PUT",
        token: operatorToken,
        json,
      });
    assert.equal((await set(byHand.organization, { plan: "business" })).status, 200);
    assert.equal((await paying.read(byHand)).body.plan, "business");
    assert.equal((await paying.checkout(byHand)).status, 409);
    assert.equal((await paying.read(payer)).body.plan, "pro");
  });

  it("audits the actor and the origin of every change", async () => {
    const payer = await paying.newPayer();
    assert.equal((await paying.checkout(payer)).status, 200);
    const portal = await paying.send("/v1/billing/portal", {
      token: payer.token,
      json: { organizationId: payer.organization },
    });
    assert.equal(portal.status, 200, JSON.stringify(portal.body));
    const exported = await paying.send(`/v1/app/exports/${payer.project}.csv`, {
      token: payer.token,
    });
    const rows = await paying.db
      .selectFrom("events")
      .select(["name", "network"])
      .where("actor", "=", payer.id)
      .execute();
    const names = new Set(rows.map(({ name }) => name));
    for (const name of ["checkout.opened", "portal.opened"]) assert.ok(names.has(name), name);
    assert.equal(exported.status, 200, JSON.stringify(exported.body));
    const nowhere = rows.filter(({ network }) => network === null).map(({ name }) => name);
    assert.deepEqual(nowhere, []);
  });

  it("reports a price that Stripe does not know as a problem for the operator", async () => {
    const payer = await paying.newPayer();
    paying.stripe.fail(1, /checkout\/sessions/, {
      status: 400,
      type: "invalid_request_error",
      code: "resource_missing",
    });
    const { status, body } = await paying.checkout(payer);
    assert.equal(status, 503, JSON.stringify(body));
    assert.match(body.detail, /price of this plan is unknown to the payment provider/);
  });
});
