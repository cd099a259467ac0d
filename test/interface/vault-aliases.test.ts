import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { create, newSite } from "./site.ts";

const { fetch, newUser } = service;

describe("wire section 9: organizations", () => {
  const address = {
    email: "billing@shop.example",
    country: "FR",
    line1: "1 rue de la Paix",
    line2: null,
    city: "Paris",
    postalCode: "75002",
    isProfessional: true,
    vat: "FR12345678901",
  };

  it("accept `companyName` for `name`, return both with one value, and keep the address as sent", async () => {
    const { token } = await newUser();
    const json = { companyName: "Shop Ltd", ...address };
    const { status, body } = await fetch("/v1/vault/organizations", { token, json });
    assert.equal(status, 201, JSON.stringify(body));
    const { name, companyName, ...rest } = body;
    assert.deepEqual([name, companyName], ["Shop Ltd", "Shop Ltd"]);
    for (const [field, value] of Object.entries(address)) assert.equal(rest[field], value, field);
    for (const filter of [
      "name=Shop Ltd",
      "companyName=Shop Ltd",
      "city=Paris",
      "vat=FR12345678901",
    ])
      assert.equal((await fetch(`/v1/vault/organizations?${filter}`, { token })).body.length, 1);
    const typed = { ...json, isProfessional: "yes", vat: 5 };
    const refused = await fetch("/v1/vault/organizations", { token, json: typed });
    assert.deepEqual(refused.body.errors.map(({ path }: { path: string }) => path).toSorted(), [
      "/isProfessional",
      "/vat",
    ]);
    const unnamed = await fetch("/v1/vault/organizations", { token, json: address });
    assert.equal(unnamed.status, 400);
    assert.deepEqual(unnamed.body.errors.map(({ path }: { path: string }) => path).toSorted(), [
      "/companyName",
      "/name",
    ]);
  });

  it("change both names with either, and the changed one applies if they differ", async () => {
    const { token } = await newUser();
    const made = await fetch("/v1/vault/organizations", { token, json: { name: "One" } });
    const at = `/v1/vault/organizations/${made.body.id}`;
    const send = async (method: string, json: object) => {
      const { status, body } = await fetch(at, { method, token, json });
      return [status, body.name, body.companyName, body.warnings?.[0].path];
    };
    assert.deepEqual(await send("PATCH", { companyName: "Two" }), [200, "Two", "Two", undefined]);
    assert.deepEqual(await send("PATCH", { name: "Three" }), [200, "Three", "Three", undefined]);
    assert.deepEqual(await send("PATCH", { city: "Lyon" }), [200, "Three", "Three", undefined]);
    assert.deepEqual(await send("PATCH", { companyName: null }), [
      200,
      "Three",
      "Three",
      undefined,
    ]);
    assert.deepEqual(await send("PUT", { companyName: "Four" }), [200, "Four", "Four", undefined]);
    const read = (await fetch(at, { token })).body;
    assert.deepEqual(await send("PUT", { ...read, companyName: "Five" }), [
      200,
      "Five",
      "Five",
      "/name",
    ]);
    assert.deepEqual(await send("PUT", { name: "A", companyName: "B" }), [
      200,
      "A",
      "A",
      "/companyName",
    ]);
    assert.deepEqual(await send("PATCH", { name: null, companyName: null }), [
      400,
      undefined,
      undefined,
      undefined,
    ]);
    const version = (await fetch(`${at}/versions/1`, { token })).body.document;
    assert.deepEqual(version, { name: "One", companyName: "One" });
  });
});

describe("wire section 9: aliases of the vault", () => {
  it("GET /v1/vault/projects/extended?projectId= returns the project with its configurations", async () => {
    const site = await newSite();
    const { token } = site;
    const read = async (at: string) => (await fetch(at, { token })).body;
    const project = await read(`/v1/vault/projects/${site.id}`);
    const text = await create(token, "../content/contracts", { projectId: site.id, config: {} });
    for (const base of ["/v1/vault", "/vault"]) {
      const { configurations, links, ...own } = await read(
        `${base}/projects/extended?projectId=${site.id}`,
      );
      const { links: projectLinks, ...fields } = project;
      assert.deepEqual(own, fields);
      assert.equal(links.self, projectLinks.extended);
      assert.equal(links.project, projectLinks.self);
      assert.deepEqual(
        configurations
          .map((one: { id: string; collection: string }) => [one.collection, one.id])
          .toSorted(),
        [
          ["content", text],
          ["contracts", site.contract],
          ["cookies", site.cookies],
          ["processings", site.processing],
        ],
      );
      const cookies = configurations.find(({ id }: { id: string }) => id === site.cookies);
      assert.deepEqual(cookies, {
        ...(await read(`/v1/vault/cookies/${site.cookies}`)),
        collection: "cookies",
      });
    }
    const at = `/v1/vault/projects/extended?projectId=${site.id}`;
    assert.equal((await fetch(at, { token: (await newUser()).token })).status, 404);
    assert.equal((await fetch(at)).status, 403);
    assert.equal((await fetch("/v1/vault/projects/extended", { token })).status, 400);
  });

  it("GET /v1/content/contracts/{id}/revisions lists the versions", async () => {
    const { token, project } = await service.newOwner();
    const json = { projectId: project.id, config: {}, content: "<p>One</p>" };
    const { body } = await fetch("/v1/content/contracts", { token, json });
    await fetch(body.links.self, { method: "PATCH", token, json: { content: "<p>Two</p>" } });
    const revisions = await fetch(body.links.revisions, { token });
    assert.deepEqual(
      revisions.body.map((one: { version: number }) => one.version),
      [2, 1],
    );
    assert.deepEqual(revisions.body, (await fetch(body.links.versions, { token })).body);
    assert.equal(revisions.headers.get("x-total-count"), "2");
  });
});

describe("wire section 9: POST /v1/vault/{resource}/{id}/duplicate", () => {
  it("creates a copy in the same project with a name of its own, which is not the default", async () => {
    const { token, project } = await service.newOwner();
    const own = {
      language: "en",
      isDefault: true,
      name: "banner",
      projectId: project.id,
      title: "Banner",
      steps: [{ name: "welcome", layout: "welcome" }],
    };
    const { body: original } = await fetch("/v1/vault/cookies", { token, json: own });
    const first = await fetch(original.links.duplicate, { method: "POST", token });
    assert.equal(first.status, 201, JSON.stringify(first.body));
    assert.notEqual(first.body.id, original.id);
    assert.equal(first.headers.get("location"), first.body.links.self);
    assert.equal(first.body.version, 1);
    const { isDefault: _, ...kept } = own;
    for (const [field, value] of Object.entries({ ...kept, name: "banner-2" }))
      assert.deepEqual(first.body[field], value, field);
    assert.equal("isDefault" in first.body, false);
    const { body: second } = await fetch(`/vault/cookies/${original.id}/duplicate`, {
      token,
      json: {},
    });
    assert.equal(second.name, "banner-3");
    // The same name is also taken by another kind of configuration.
    const contract = { projectId: project.id, name: "banner-4" };
    const { body: other } = await fetch("/v1/vault/contracts", { token, json: contract });
    const { body: third } = await fetch(original.links.duplicate, { method: "POST", token });
    assert.equal(third.name, "banner-5");
    const { body: fourth } = await fetch(other.links.duplicate, { method: "POST", token });
    assert.equal(fourth.name, "banner-4-2");
  });

  it("gives copies made at once different names, and one copy for one Idempotency-Key", async () => {
    const { token, project } = await service.newOwner();
    const json = { projectId: project.id, name: "form" };
    const { body } = await fetch("/v1/vault/processings", { token, json });
    const copy = (headers = {}) => fetch(body.links.duplicate, { method: "POST", token, headers });
    const made = await Promise.all(Array.from({ length: 4 }, () => copy()));
    assert.deepEqual(
      new Set(made.map((one) => one.body.name)),
      new Set(["form-2", "form-3", "form-4", "form-5"]),
    );
    const key = { "idempotency-key": randomUUID() };
    const [first, again] = [await copy(key), await copy(key)];
    assert.equal(first.body.name, "form-6");
    assert.deepEqual(again.body, first.body);
  });

  it("copies a project without its configurations, under another title", async () => {
    const site = await newSite();
    const { token } = site;
    const at = `/v1/vault/projects/${site.id}`;
    const { status, body } = await fetch(`${at}/duplicate`, { method: "POST", token });
    assert.equal(status, 201);
    assert.deepEqual([body.title, body.name, body.active], ["Shop-2", "Shop-2", false]);
    assert.deepEqual((await fetch(body.links.cookies, { token })).body, []);
  });

  it("needs the rights of a creation, keeps to the plan's limits, and records an event", async () => {
    const { token, project } = await service.newOwner();
    const json = { projectId: project.id, name: "terms" };
    const { body } = await fetch("/v1/vault/contracts", { token, json });
    const viewer = await newUser();
    const users = `/v1/vault/projects/${project.id}/users`;
    await fetch(users, { token, json: { userId: viewer.id, roles: ["viewer"] } });
    const copy = (by: string | undefined) =>
      fetch(body.links.duplicate, { method: "POST", ...(by === undefined ? {} : { token: by }) });
    assert.equal((await copy(viewer.token)).status, 403);
    assert.equal((await copy((await newUser()).token)).status, 404);
    assert.equal((await copy(undefined)).status, 403);
    const { body: made } = await copy(token);
    const trail = await fetch(
      `/v1/vault/audit?projectId=${project.id}&event=configuration.created&documentId=${made.id}`,
      { token },
    );
    assert.equal(trail.body.items.length, 1);
    const organizations = "/v1/vault/organizations";
    const organization = await fetch(organizations, { token, json: { name: "O" } });
    const path = `${organizations}/${organization.body.id}/duplicate`;
    assert.equal((await fetch(path, { method: "POST", token })).status, 404);
  });
});
