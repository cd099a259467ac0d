import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { operatorToken, service } from "../harness.ts";
import { type AnotherService, openAnotherService } from "./another-service.ts";
import { type Paying, openPaying } from "./paying.ts";
import { newSite, subscribe } from "./publishing.ts";

const DAY_MS = 86_400_000;
let paying: Paying;
before(async () => {
  paying = await openPaying();
});
after(() => paying[Symbol.asyncDispose]());

describe("seats of an organization", () => {
  let other: AnotherService;
  before(async () => {
    const PLANS = JSON.stringify({ free: { seatsMax: 2 }, pro: { seatsMax: 3 } });
    other = await openAnotherService(service.databaseUrl, { PLANS });
  });
  after(() => other[Symbol.asyncDispose]());

  const send = (path: string, token: string, json?: object, method = "POST") =>
    service.fetch(other.url + path, { method, token, ...(json ? { json } : {}) });

  it("rejects an invitation beyond the plan, and accepts it once there is a seat", async () => {
    const { token, project, organization } = await newSite({ organization: true });
    const invite = async (collection: string, id: string) => {
      const data = { collection, id };
      const email = `${crypto.randomUUID()}@example.org`;
      const { status, body } = await send("/v1/auth/invitations", token, { email, data });
      assert.equal(status, 200, JSON.stringify(body));
      return `/v1/auth/invitations/${body.invitationToken.value}`;
    };
    const [first, second] = [
      await invite("projects", project.id),
      await invite("organizations", organization ?? ""),
    ];
    const [one, two] = [await service.newUser(), await service.newUser()];
    assert.equal((await send(first, one.token)).status, 200);
    const refused = await send(second, two.token);
    assert.equal(refused.status, 422, JSON.stringify(refused.body));
    assert.match(refused.body.detail, /has no seat: the organization has 2 people/);
    const seen = async () =>
      (await service.fetch(`/v1/vault/organizations/${organization}`, { token: two.token })).status;
    assert.equal(await seen(), 404);
    await subscribe(organization ?? "", "active");
    assert.equal((await send(second, two.token)).status, 200);
    assert.equal(await seen(), 200);
    await subscribe(organization ?? "", "canceled");
    assert.equal(await seen(), 200, "members stay when a plan ends");
  });

  it("rejects a sign-up with an invitation beyond the plan, and stores nothing", async () => {
    const { token, organization } = await newSite({ organization: true });
    const users = `/v1/vault/organizations/${organization}/users`;
    const member = await service.newUser();
    assert.equal((await send(users, token, { userId: member.id })).status, 200);
    const data = { collection: "organizations", id: organization };
    const email = `${crypto.randomUUID()}@example.org`;
    const { body } = await send("/v1/auth/invitations", token, { email, data });
    const json = { email, password: "correct horse", invitationToken: body.invitationToken.value };
    const signUp = () => service.fetch(`${other.url}/v1/auth/local/signup`, { json });
    assert.equal((await signUp()).status, 422);
    await send(`${users}/${member.id}`, token, undefined, "DELETE");
    assert.equal((await signUp()).status, 200, "the address is still free");
  });
});

describe("a trial", () => {
  const tierOf = async (status: string, endsInDays: number) => {
    const { token, project, organization } = await newSite({ organization: true });
    const end = new Date(service.clock.now().getTime() + endsInDays * DAY_MS);
    const set = await service.fetch(`/v1/billing/organizations/${organization}`, {
      method: "PUT",
      token: operatorToken,
      json: { plan: "pro", status, currentPeriodEnd: end.toISOString() },
    });
    assert.equal(set.status, 200, JSON.stringify(set.body));
    const { body } = await service.fetch(`/v1/vault/projects/${project.id}`, { token });
    return [body.billing.plan, body.billing.subscription];
  };

  it("by the operator gives its plan until its end, then during the grace period, then the free plan", async () => {
    assert.deepEqual(await tierOf("trialing", 5), ["pro", "trialing"]);
    assert.deepEqual(await tierOf("trialing", -1), ["pro", "past_due"]);
    assert.deepEqual(await tierOf("trialing", -13), ["pro", "past_due"]);
    assert.deepEqual(await tierOf("trialing", -15), ["free", "past_due"]);
  });

  it("by Stripe is followed: trialing, then paid, or the free plan at its end without payment", async () => {
    const payer = await paying.newPayer();
    const { body } = await paying.checkout(payer);
    const subscription = paying.stripe.account.complete(body.url, { trialDays: 14 });
    const read = async () => (await paying.read(payer)).body;
    const trial = await read();
    assert.deepEqual([trial.plan, trial.status], ["pro", "trialing"]);
    const left = new Date(trial.currentPeriodEnd).getTime() - service.clock.now().getTime();
    assert.ok(left > 13 * DAY_MS && left <= 14 * DAY_MS, `${left / DAY_MS} days`);
    paying.stripe.account.end(subscription);
    const ended = await read();
    assert.deepEqual([ended.plan, ended.status], ["free", "canceled"]);
  });
});

describe("reconciliation with the payment provider after lost events", () => {
  it("is scheduled nightly, and never without a provider", async () => {
    const schedules = (db: typeof paying.db) =>
      sql<{ cron: string }>`SELECT cron FROM pgboss.schedule WHERE name = 'billing-reconcile'`
        .execute(db)
        .then(({ rows }) => rows);
    assert.deepEqual(await schedules(paying.db), [{ cron: "23 3 * * *" }]);
    assert.deepEqual(await schedules(service.db), []);
  });

  it("returns the billing fields of wire section 8", async () => {
    const payer = await paying.newPayer();
    await paying.buy(payer);
    const { body } = await paying.read(payer);
    for (const field of [
      "plan",
      "status",
      "currentPeriodEnd",
      "paymentSource",
      "invoices",
      "links",
    ])
      assert.ok(field in body, field);
    const { token } = payer;
    const invoices = await paying.send(body.links.invoices, { token });
    assert.equal(invoices.status, 200);
    const [plan] = (await paying.send(body.links.plans)).body;
    for (const limit of ["name", "layouts", "fileBytesMax", "configurationsMax", "seatsMax"])
      assert.ok(limit in plan, limit);
  });
});
