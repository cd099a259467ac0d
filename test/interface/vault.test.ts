import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";

const { fetch, newUser, newOwner } = service;

describe("specification, Vault: a generic document store", () => {
  it("POST /v1/vault/{resource} creates a document from the body, and returns it", async () => {
    const { token } = await newUser();
    const json = { websiteURL: "https://a.example/", title: "A", colors: { main: "#fff" } };
    const { status, body, headers } = await fetch("/v1/vault/projects", { token, json });
    assert.equal(status, 201);
    assert.equal(body.title, "A");
    assert.equal(body.websiteURL, "https://a.example/");
    assert.deepEqual(body.colors, { main: "#fff" });
    assert.match(body._id, /^[0-9a-f]{24}$/);
    assert.equal(headers.get("location"), body.links.self);
    assert.ok(headers.get("etag"));
  });

  it("a returned document is flat: its fields beside _id, id, createdAt, createdBy, updatedAt, updatedBy, version, links", async () => {
    const { token, id, project } = await newOwner();
    assert.equal(project["id"], project["_id"]);
    assert.equal(project["version"], 1);
    assert.equal(project["createdBy"], id);
    assert.equal(project["updatedBy"], id);
    assert.match(String(project["createdAt"]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const { body } = await fetch(`/v1/vault/projects/${project.id}`, { token });
    assert.deepEqual(body, project);
    assert.deepEqual(body.metadata, {});
  });

  it("document ids are time-ordered: seconds since 1970 first", async () => {
    const { project } = await newOwner();
    const seconds = Number.parseInt(project.id.slice(0, 8), 16);
    assert.ok(Math.abs(seconds - service.clock.now().getTime() / 1000) < 30);
  });

  it("GET /v1/vault/{resource} returns documents; GET …/{documentId} the document", async () => {
    const { token, project } = await newOwner();
    const list = await fetch("/v1/vault/projects", { token });
    assert.equal(list.status, 200);
    assert.deepEqual(
      list.body.map((p: { id: string }) => p.id),
      [project.id],
    );
  });

  it("PUT replaces: omitted fields are removed, unknown fields are kept unchanged", async () => {
    const { token, project } = await newOwner();
    const path = `/v1/vault/projects/${project.id}`;
    await fetch(path, { method: "PATCH", token, json: { fonts: { body: "serif" } } });
    const json = { websiteURL: "https://b.example", title: "B", weird: { a: [1, null, "é"] } };
    const { status, body } = await fetch(path, { method: "PUT", token, json });
    assert.equal(status, 200);
    assert.equal(body.fonts, undefined);
    assert.deepEqual(body.weird, { a: [1, null, "é"] });
    assert.equal(body.version, 3);
  });

  it("PATCH is an RFC 7396 merge patch: null removes, objects merge", async () => {
    const { token, project } = await newOwner();
    const path = `/v1/vault/projects/${project.id}`;
    await fetch(path, { method: "PATCH", token, json: { colors: { main: "#111", alt: "#222" } } });
    const { body } = await fetch(path, {
      method: "PATCH",
      token,
      json: { colors: { main: null } },
    });
    assert.deepEqual(body.colors, { alt: "#222" });
    const bad = await fetch(path, { method: "PATCH", token, json: { title: null } });
    assert.equal(bad.status, 400);
    assert.deepEqual(bad.body.errors, [{ path: "/title", message: "is required" }]);
  });

  it("DELETE of a configuration is 204, then it is 404", async () => {
    const { token, project } = await newOwner();
    const made = await fetch("/v1/vault/contracts", { token, json: { projectId: project.id } });
    const path = `/v1/vault/contracts/${made.body.id}`;
    assert.equal((await fetch(path, { method: "DELETE", token })).status, 204);
    assert.equal((await fetch(path, { token })).status, 404);
    assert.equal((await fetch(path, { method: "DELETE", token })).status, 404);
  });

  it("DELETE of a project without publications and consents deletes its configurations too", async () => {
    const { token, project } = await newOwner();
    const cookies = await fetch("/v1/vault/cookies", { token, json: { projectId: project.id } });
    const path = `/v1/vault/projects/${project.id}`;
    assert.equal((await fetch(path, { method: "DELETE", token })).status, 204);
    assert.equal((await fetch(path, { token })).status, 404);
    assert.equal((await fetch(`/v1/vault/cookies/${cookies.body.id}`, { token })).status, 404);
  });

  it("{base_url}/vault/… and {base_url}/v1/vault/… are equivalent, with or without a trailing slash", async () => {
    const { token, project } = await newOwner();
    for (const path of ["/vault/projects", "/v1/vault/projects/", "/vault/projects/"]) {
      const { status, body } = await fetch(path, { token });
      assert.equal(status, 200, path);
      assert.equal(body[0].id, project.id);
    }
    assert.equal((await fetch(`/vault/projects/${project.id}`, { token })).body.id, project.id);
  });

  it("service fields in a request body do not change the service's own values", async () => {
    const { token, id } = await newUser();
    const json = {
      websiteURL: "https://a.example",
      title: "A",
      _id: "0".repeat(24),
      version: 99,
      createdBy: "somebody",
      active: true,
      billing: { subscription: "active" },
      metadata: { lastPublishedAt: "2020-01-01T00:00:00.000Z" },
    };
    const { body } = await fetch("/v1/vault/projects", { token, json });
    assert.notEqual(body._id, json._id);
    assert.equal(body.version, 1);
    assert.equal(body.createdBy, id);
    assert.equal(body.active, false);
    assert.deepEqual(body.metadata, {});
    assert.equal(body.billing.subscription, "none");
  });
});

describe("wire section 2: versions", () => {
  it("every write keeps the previous version: author, time, content; diff is RFC 6902; restore writes a new version", async () => {
    const { token, id, project } = await newOwner();
    const path = `/v1/vault/projects/${project.id}`;
    await fetch(path, { method: "PATCH", token, json: { title: "Second" } });
    const { body: versions, headers } = await fetch(`${path}/versions`, { token });
    assert.deepEqual(
      versions.map((v: { version: number }) => v.version),
      [2, 1],
    );
    assert.equal(headers.get("x-total-count"), "2");
    assert.equal(versions[0].createdBy, id);
    assert.equal(versions[0].operation, "patch");
    const first = await fetch(`${path}/versions/1`, { token });
    assert.equal(first.body.document.title, "Shop");
    const diff = await fetch(`${path}/versions/1/diff/2`, { token });
    assert.deepEqual(diff.body, [{ op: "replace", path: "/title", value: "Second" }]);
    const restored = await fetch(`${path}/versions/1/restore`, { method: "POST", token });
    assert.equal(restored.status, 200);
    assert.equal(restored.body.title, "Shop");
    assert.equal(restored.body.version, 3);
    assert.equal((await fetch(`${path}/versions/9`, { token })).status, 404);
    assert.equal((await fetch(`${path}/versions/0`, { token })).status, 400);
  });
});
