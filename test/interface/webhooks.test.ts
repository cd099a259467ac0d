import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { newWebhook } from "./webhooks.ts";
import { dumpDatabase, findTables } from "./dump.ts";

const { fetch, newOwner, newUser, newProject } = service;
const url = "https://hooks.example/avow";
const selfOf = (id: string) => hrefOf("", paths.webhook, { id });

describe("wire section 6, webhooks", () => {
  it("are created with 201 and listed as the caller's; url and uri, events and event are the same", async () => {
    const { token, project } = await newOwner();
    const made = await newWebhook(token, {
      uri: url,
      event: "publish.done",
      projectId: project.id,
    });
    assert.equal(made.url, url);
    assert.equal(made.uri, url);
    assert.deepEqual(made.events, ["publish.done"]);
    assert.equal(made.event, "publish.done");
    assert.equal(made.enabled, true);
    const { body } = await fetch(paths.webhooks, { token });
    const { secret, ...rest } = made;
    assert.match(secret, /^whsec_/);
    assert.deepEqual(body, { webhooks: [rest] });
    const one = await fetch(selfOf(made.id), { token });
    assert.deepEqual(one.body, rest);
    const etag = one.headers.get("etag") ?? "";
    const again = await fetch(selfOf(made.id), { token, headers: { "if-none-match": etag } });
    assert.equal(again.status, 304);
  });

  it("return secrets and headers only on creation, and store them encrypted", async () => {
    const { token } = await newUser();
    const headers = { authorization: "Bearer very-secret-value" };
    const made = await newWebhook(token, { url, events: ["project.created"], headers });
    assert.deepEqual(made.headers, { authorization: "hidden" });
    const secret = made.secret.slice("whsec_".length);
    const dump = await dumpDatabase();
    assert.deepEqual(findTables(dump, secret), []);
    assert.deepEqual(findTables(dump, "very-secret-value"), []);
    assert.deepEqual(findTables(dump, Buffer.from(secret, "base64").toString("hex")), []);
  });

  it("are private: 404 for every request by others", async () => {
    const { token } = await newUser();
    const other = await newUser();
    const { id } = await newWebhook(token, { url, events: ["project.created"] });
    const asked = { token: other.token };
    for (const [method, href] of [
      ["GET", selfOf(id)],
      ["DELETE", selfOf(id)],
      ["POST", `${selfOf(id)}/secret`],
    ] as const)
      assert.equal((await fetch(href, { method, ...asked })).status, 404, `${method} ${href}`);
    const patched = await fetch(selfOf(id), {
      method: "PATCH",
      json: { enabled: false },
      ...asked,
    });
    assert.equal(patched.status, 404);
    assert.deepEqual((await fetch(paths.webhooks, asked)).body, { webhooks: [] });
    assert.equal((await fetch(selfOf(id))).status, 403);
  });

  it("require a user who may write their project", async () => {
    const owner = await newOwner();
    const viewer = await newUser();
    const stranger = await newUser();
    const users = `/v1/vault/projects/${owner.project.id}/users`;
    await fetch(users, { token: owner.token, json: { userId: viewer.id, roles: ["viewer"] } });
    const json = { url, events: ["consent.created"], projectId: owner.project.id };
    assert.equal((await fetch(paths.webhooks, { token: stranger.token, json })).status, 422);
    assert.equal((await fetch(paths.webhooks, { token: viewer.token, json })).status, 403);
    const event = `consent/${owner.project.id}`;
    const older = await fetch(paths.webhooks, { token: stranger.token, json: { url, event } });
    assert.equal(older.status, 422);
  });

  it("with the older name belong to a project, and to one only", async () => {
    const { token, project } = await newOwner();
    const another = await newProject(token);
    const made = await newWebhook(token, { uri: url, event: `consent/${project.id}` });
    assert.equal(made.projectId, project.id);
    const json = { url, events: [`consent/${project.id}`, `consent/${another.id}`] };
    assert.equal((await fetch(paths.webhooks, { token, json })).status, 400);
  });

  it("that are incomplete are rejected with every error", async () => {
    const { token } = await newUser();
    const post = (json: unknown) => fetch(paths.webhooks, { token, json });
    const faultsOf = async (json: unknown) => {
      const { status, body } = await post(json);
      assert.equal(status, 400, JSON.stringify(body));
      return body.errors.map(({ path }: { path: string }) => path);
    };
    assert.deepEqual(await faultsOf({ events: ["publish.done"] }), ["/url"]);
    assert.deepEqual(await faultsOf({ url }), ["/events"]);
    assert.deepEqual(await faultsOf({ url, events: [] }), ["/events"]);
    assert.deepEqual(await faultsOf({ url, events: ["publish.undone"] }), ["/events/0"]);
    assert.deepEqual(await faultsOf({ url: 7, events: "publish.done" }), ["/url", "/events"]);
    const headers = {
      Host: "other.example",
      "webhook-id": "1",
      "x ": "1",
      fine: "1",
      "x-bad": "ä",
    };
    assert.deepEqual(await faultsOf({ url, events: ["publish.done"], headers }), [
      "/headers/Host",
      "/headers/webhook-id",
      "/headers/x ",
      "/headers/x-bad",
    ]);
    assert.deepEqual((await fetch(paths.webhooks, { token })).body, { webhooks: [] });
  });

  it("are changed, but not moved to another project, and deleted; a stale If-Match is 412", async () => {
    const { token, project } = await newOwner();
    const another = await newProject(token);
    const made = await newWebhook(token, {
      url,
      events: ["consent.created"],
      projectId: project.id,
    });
    const href = selfOf(made.id);
    const json = { enabled: false, events: ["consent.withdrawn"], collection: "cookies" };
    const stale = { "if-match": '"9"' };
    assert.equal((await fetch(href, { method: "PATCH", token, json, headers: stale })).status, 412);
    const changed = await fetch(href, { method: "PATCH", token, json });
    assert.equal(changed.status, 200);
    assert.equal(changed.body.disabledBecause, "owner");
    assert.deepEqual(changed.body.events, ["consent.withdrawn"]);
    assert.equal(changed.body.version, 2);
    const moved = { events: [`consent/${another.id}`] };
    assert.ok(
      [400, 422].includes((await fetch(href, { method: "PATCH", token, json: moved })).status),
    );
    const patch = (projectId: string) =>
      fetch(href, { method: "PATCH", token, json: { projectId } });
    assert.equal((await patch(another.id)).status, 422);
    assert.equal((await patch(project.id)).status, 200);
    assert.equal((await fetch(href, { method: "DELETE", token, headers: stale })).status, 412);
    assert.equal((await fetch(href, { method: "DELETE", token })).status, 204);
    assert.equal((await fetch(href, { token })).status, 404);
  });

  it("are created once for one Idempotency-Key, with the same secret", async () => {
    const { token } = await newUser();
    const json = { url, events: ["publish.done"] };
    const headers = { "idempotency-key": "one" };
    const first = await fetch(paths.webhooks, { token, json, headers });
    const again = await fetch(paths.webhooks, { token, json, headers });
    assert.deepEqual(again.body, first.body);
    assert.equal((await fetch(paths.webhooks, { token })).body.webhooks.length, 1);
  });

  it("get another secret, which is returned once", async () => {
    const { token } = await newUser();
    const made = await newWebhook(token, { url, events: ["publish.done"] });
    const href = hrefOf("", paths.webhookSecret, { id: made.id });
    const { status, body } = await fetch(href, {
      method: "POST",
      token,
      json: { overlapHours: 1 },
    });
    assert.equal(status, 200);
    assert.match(body.secret, /^whsec_/);
    assert.notEqual(body.secret, made.secret);
    assert.equal(body.publicKey, made.publicKey);
  });
});
