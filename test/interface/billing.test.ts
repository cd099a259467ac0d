import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { operatorToken, service } from "../harness.ts";
import { type AnotherService, openAnotherService } from "./another-service.ts";
import { newCookies, newSite, subscribe } from "./publishing.ts";

const { fetch, newUser } = service;
const unknown = "ffffffffffffffffffffffff";
const addressOf = (id: string) => `/v1/billing/organizations/${id}`;

describe("specification, Billing", () => {
  it("GET /v1/billing/plans: free and paid plans, each with its limits", async () => {
    const { status, body } = await fetch("/v1/billing/plans");
    assert.equal(status, 200);
    const [free, pro] = body;
    assert.equal(free.name, "free");
    assert.equal(free.fileBytesMax, 65_536);
    assert.deepEqual(free.layouts, ["welcome", "category"]);
    assert.deepEqual(pro.layouts, ["welcome", "category", "info", "iab", "soft_consent"]);
    assert.equal(pro.links.self, `${service.url}/v1/billing/plans`);
  });
});

describe("an organization's subscription", () => {
  it("is shown to its owners: the plan that applies, the state, the end of the paid period", async () => {
    const { token, organization } = await newSite({ organization: true });
    const none = await fetch(addressOf(organization), { token });
    assert.equal(none.status, 200);
    assert.deepEqual(
      [none.body.plan, none.body.status, none.body.currentPeriodEnd],
      ["free", "none", null],
    );
    await subscribe(organization, "past_due", { endedDaysAgo: 3 });
    const { body } = await fetch(none.body.links.self, { token });
    assert.deepEqual([body.plan, body.status], ["pro", "past_due"]);
    assert.ok(new Date(body.currentPeriodEnd) < service.clock.now());
    assert.equal((await fetch(body.links.organization, { token })).body.id, organization);
    assert.equal((await fetch(body.links.plans)).status, 200);
  });

  it("counts the used limits of the plan: each person once, projects, configurations of the largest project", async () => {
    const { token, project, organization } = await newSite({ organization: true });
    const usage = async () => (await fetch(addressOf(organization), { token })).body.usage;
    const first = await usage();
    assert.deepEqual([first.seats, first.projects], [1, 1]);
    const other = await service.newProject(token, { organizationId: organization });
    const person = { userId: (await newUser()).id, roles: ["viewer"] };
    for (const at of [`organizations/${organization}`, `projects/${other.id}`])
      await fetch(`/v1/vault/${at}/users`, { token, json: person });
    for (const projectId of [other.id, project.id, project.id])
      await newCookies(token, projectId, { steps: [] });
    assert.deepEqual(await usage(), {
      seats: 2,
      projects: 2,
      configurations: first.configurations + 2,
    });
    const { body } = await fetch(addressOf(organization), { token });
    assert.deepEqual([body.links.checkout, body.links.portal], [undefined, undefined]);
  });

  it("is hidden from others: for a visitor, an editor or a stranger it does not exist", async () => {
    const { token, organization } = await newSite({ organization: true });
    const editor = await newUser();
    await fetch(`/v1/vault/organizations/${organization}/users`, {
      token,
      json: { userId: editor.id, roles: ["editor"] },
    });
    assert.equal((await fetch(addressOf(organization))).status, 403);
    assert.equal((await fetch(addressOf(organization), { token: editor.token })).status, 403);
    const stranger = await newUser();
    const foreign = await fetch(addressOf(organization), { token: stranger.token });
    assert.equal(foreign.status, 404);
    const absent = await fetch(addressOf(unknown), { token: stranger.token });
    assert.equal(absent.status, 404);
    assert.equal(foreign.body.detail.replace(organization, unknown), absent.body.detail);
  });
});

describe("the manual provider's route", () => {
  const set = (id: string, json: object, token: string | undefined = operatorToken) =>
    fetch(addressOf(id), { method: "PUT", json, ...(token === "" ? {} : { token }) });

  it("sets an organization's plan, applies it to its projects, and records an event", async () => {
    const { token, project, organization } = await newSite({ organization: true });
    const info = { steps: [{ name: "i", layout: "info" }], projectId: project.id };
    const refused = await fetch("/v1/vault/cookies", { token, json: info });
    assert.equal(refused.status, 422);
    const { status, body } = await set(organization, { plan: "pro" });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.plan, body.status, body.currentPeriodEnd], ["pro", "active", null]);
    await newCookies(token, project.id, info);
    const read = await fetch(`/v1/vault/projects/${project.id}`, { token });
    assert.deepEqual(read.body.billing, { plan: "pro", subscription: "active" });
    const event = await service.db
      .selectFrom("events")
      .select(["actor", "data"])
      .where("name", "=", "subscription.updated")
      .where("document_id", "=", organization)
      .executeTakeFirstOrThrow();
    assert.deepEqual(event, { actor: "operator", data: { plan: "pro", status: "active" } });
  });

  it("returns the same result for a repeated request, and ends a plan that it should end", async () => {
    const { token, organization } = await newSite({ organization: true });
    const end = "2099-12-31T23:59:59.000Z";
    const json = { plan: "pro", status: "trialing", currentPeriodEnd: end };
    const first = await set(organization, json);
    assert.deepEqual((await set(organization, json)).body, first.body);
    assert.deepEqual((await fetch(addressOf(organization), { token })).body, first.body);
    assert.equal(first.body.currentPeriodEnd, end);
    const ended = await set(organization, { plan: "pro", status: "canceled" });
    assert.deepEqual([ended.body.plan, ended.body.status], ["free", "canceled"]);
  });

  it("is forbidden without the operator's token, also to owners, and when none is configured", async () => {
    const { token, organization } = await newSite({ organization: true });
    for (const other of ["", token, `${operatorToken}x`, operatorToken.slice(1)]) {
      const { status } = await set(organization, { plan: "pro" }, other);
      assert.equal(status, 403);
    }
    const inQuery = `${addressOf(organization)}?access_token=${operatorToken}`;
    assert.equal((await fetch(inQuery, { method: "PUT", json: { plan: "pro" } })).status, 403);
    await using closed = await openAnotherService(service.databaseUrl);
    const { status, body } = await fetch(closed.url + addressOf(organization), {
      method: "PUT",
      token: operatorToken,
      json: { plan: "pro" },
    });
    assert.equal(status, 403);
    assert.equal(body.type, "/problems/unauthenticated");
    const read = await fetch(addressOf(organization), { token });
    assert.equal(read.body.status, "none");
    for (const path of ["/v1/vault/organizations", addressOf(organization)])
      assert.equal(
        (await fetch(path, { token: operatorToken })).status,
        403,
        "the token opens nothing else",
      );
  });

  it("rejects an unknown plan, organization or status by name", async () => {
    const { organization } = await newSite({ organization: true });
    assert.equal((await set(unknown, { plan: "pro" })).status, 404);
    const gold = await set(organization, { plan: "gold" });
    assert.equal(gold.status, 422);
    assert.deepEqual(gold.body.errors, [{ path: "/plan", message: "must be one of free, pro" }]);
    const { status, body } = await set(unknown, { plan: "pro", status: "happy" });
    assert.equal(status, 400);
    assert.equal(body.errors[0].path, "/status");
  });
});

describe("plans that the operator declares (PLANS)", () => {
  const plans = {
    free: { configurationsMax: 2, seatsMax: 2 },
    pro: { title: "Professional", seatsMax: 3 },
    club: { layouts: ["welcome"] },
  };
  let other: AnotherService;
  before(async () => {
    const env = { PLANS: JSON.stringify(plans), OPERATOR_TOKEN: operatorToken };
    other = await openAnotherService(service.databaseUrl, env);
  });
  after(() => other[Symbol.asyncDispose]());

  const send = (path: string, token: string, json?: object, method = json ? "POST" : "GET") =>
    fetch(other.url + path, { method, token, ...(json ? { json } : {}) });
  const addTo = (path: string, token: string, userId: string) =>
    send(`/v1/vault/${path}/users`, token, { userId, roles: ["viewer"] });

  it("are listed after the built-in ones, with their own limits only", async () => {
    const { body } = await fetch(`${other.url}/v1/billing/plans`);
    const shown = body.map((plan: Record<string, unknown>) => [
      plan["name"],
      plan["title"],
      plan["configurationsMax"],
      plan["seatsMax"],
    ]);
    assert.deepEqual(shown, [
      ["free", "Free", 2, 2],
      ["pro", "Professional", null, 3],
      ["club", "club", null, null],
    ]);
    assert.deepEqual(body[2].layouts, ["welcome"]);
  });

  it("limit creation of configurations: existing and uncounted ones stay", async () => {
    const { token, project, organization } = await newSite({ organization: true });
    const contract = { projectId: project.id, name: "terms" };
    assert.equal((await send("/v1/vault/contracts", token, contract)).status, 201);
    const third = await send("/v1/vault/contracts", token, contract);
    assert.equal(third.status, 422);
    assert.match(third.body.detail, /has 2, and the plan Free includes 2 configurations/);
    assert.equal((await send("/v1/vault/vendors", token, contract)).status, 201);
    await subscribe(organization, "active");
    assert.equal((await send("/v1/vault/contracts", token, contract)).status, 201);
    await subscribe(organization, "canceled");
    const list = await send(`/v1/vault/contracts?projectId=${project.id}`, token);
    assert.equal(list.body.length, 2);
    const patched = await send(
      `/v1/vault/contracts/${list.body[0].id}`,
      token,
      { name: "changed" },
      "PATCH",
    );
    assert.equal(patched.status, 200);
  });

  it("limit seats: people of the organization and of its projects, each counted once", async () => {
    const { token, project, organization } = await newSite({ organization: true });
    const [second, third, fourth] = [await newUser(), await newUser(), await newUser()];
    assert.equal((await addTo(`projects/${project.id}`, token, second.id)).status, 200);
    assert.equal((await addTo(`organizations/${organization}`, token, second.id)).status, 200);
    for (const place of [`organizations/${organization}`, `projects/${project.id}`]) {
      const { status, body } = await addTo(place, token, third.id);
      assert.equal(status, 422, place);
      assert.deepEqual(body.errors, [
        {
          path: "/userId",
          message: "has no seat: the organization has 2 people, and the plan Free 2 seats",
        },
      ]);
    }
    await subscribe(organization, "active");
    assert.equal((await addTo(`projects/${project.id}`, token, third.id)).status, 200);
    assert.equal((await addTo(`projects/${project.id}`, token, fourth.id)).status, 422);
    await subscribe(organization, "canceled");
    const { body } = await send(`/v1/vault/projects/${project.id}/users`, token);
    assert.equal(body.length, 3, "members stay when a plan ends");
    const again = await send(`/v1/vault/projects/${project.id}/users`, token, {
      userId: third.id,
      roles: ["editor"],
    });
    assert.equal(again.status, 200, "and may get other roles");
  });

  it("give the last seat to one of two people who join concurrently", async () => {
    const { token, organization, project } = await newSite({ organization: true });
    const [one, two] = [await newUser(), await newUser()];
    const answers = await Promise.all([
      addTo(`organizations/${organization}`, token, one.id),
      addTo(`projects/${project.id}`, token, two.id),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 422],
    );
  });

  it("count the people of a project that moves to an organization", async () => {
    const { token, organization } = await newSite({ organization: true });
    const outside = await service.newProject(token);
    const [one, two] = [await newUser(), await newUser()];
    for (const { id } of [one, two])
      assert.equal((await addTo(`projects/${outside.id}`, token, id)).status, 200);
    const at = `/v1/vault/projects/${outside.id}`;
    const move = () => send(at, token, { organizationId: organization }, "PATCH");
    const { status, body } = await move();
    assert.equal(status, 422);
    assert.match(body.detail, /organization has 1 person, and the plan Free 2 seats/);
    assert.equal((await send(`${at}/users/${two.id}`, token, undefined, "DELETE")).status, 200);
    assert.equal((await move()).status, 200);
  });
});

describe("checkout and portal without a payment provider", () => {
  it("return 409: the operator sets plans", async () => {
    const { token } = await service.newUser();
    const { body } = await service.fetch("/v1/vault/organizations", { token, json: { name: "A" } });
    for (const path of ["/v1/billing/checkout", "/v1/billing/portal"]) {
      const json = { organizationId: body.id, plan: "pro" };
      const answer = await service.fetch(path, { token, json });
      assert.equal(answer.status, 409);
      assert.match(answer.body.detail, /operator sets the plans of organizations/);
    }
    const invoices = `/v1/billing/organizations/${body.id}/invoices`;
    assert.deepEqual((await service.fetch(invoices, { token })).body.items, []);
  });
});
