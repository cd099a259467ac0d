import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { type Operation, listOperations, needProvider, takesFile } from "../hostile/operations.ts";
import { createProbe } from "../hostile/probe.ts";
import { sampleOf } from "../hostile/runs.ts";
import { createValidators } from "../hostile/validators.ts";
import { valuesOf } from "../hostile/values.ts";
import { knownOf, newWorld } from "../hostile/world.ts";

const { fetch, newUser, newProject } = service;
const shop = { websiteURL: "https://shop.example", title: "Shop" };

describe("wire section 0, `ETag` on single documents and on published files", () => {
  it("`If-None-Match` returns 304", async () => {
    const { token } = await newUser();
    const { id } = await newProject(token);
    for (const path of [`/v1/vault/projects/${id}`, `/v1/client/${id}`]) {
      const first = await fetch(path, { token });
      const etag = first.headers.get("etag") ?? "";
      assert.match(etag, /^"[^"]+"$/, path);
      for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const again = await fetch(path, { token, headers: { "if-none-match": tag } });
        assert.equal(again.status, 304, `${path} ${tag}`);
        assert.equal(again.body, "");
        assert.equal(again.headers.get("etag"), etag);
      }
      assert.equal((await fetch(path, { token, headers: { "if-none-match": '"x"' } })).status, 200);
    }
  });

  it("a published file has one too", async () => {
    const { token } = await newUser();
    const { id } = await newProject(token);
    const read = () => fetch(`/v1/publish/jobs/${id}`, { token });
    let job = await fetch(`/v1/publish/jobs/${id}`, { token, method: "POST" });
    for (const until = Date.now() + 20_000; job.body.status !== "Done" && Date.now() < until;)
      job = await read();
    const file = await fetch(job.body.url);
    assert.equal(file.status, 200);
    const etag = file.headers.get("etag") ?? "";
    assert.match(etag, /^(W\/)?"[^"]+"$/);
    const again = await fetch(job.body.url, { headers: { "if-none-match": etag } });
    assert.equal(again.status, 304);
  });

  it("`If-Match` on PUT, PATCH and DELETE returns 412 when stale", async () => {
    const { token } = await newUser();
    const { id: projectId } = await newProject(token);
    const { body, headers } = await fetch("/v1/vault/processings", { token, json: { projectId } });
    const path = `/v1/vault/processings/${body.id}`;
    const stale = headers.get("etag") ?? "";
    const send = (method: string, tag: string, json?: object) =>
      fetch(path, { method, token, headers: { "if-match": tag }, ...(json ? { json } : {}) });
    const changed = await send("PATCH", stale, { title: "A" });
    assert.equal(changed.status, 200);
    const present = changed.headers.get("etag") ?? "";
    assert.notEqual(present, stale);
    assert.equal((await send("PUT", stale, { projectId })).status, 412);
    assert.equal((await send("PATCH", stale, {})).status, 412);
    assert.equal((await send("DELETE", stale)).status, 412);
    assert.equal((await fetch(path, { token })).body.version, 2);
    assert.equal((await send("PUT", `"x", ${present}`, { projectId })).status, 200);
    assert.equal((await send("DELETE", "*")).status, 204);
  });
});

describe("wire section 0, `Idempotency-Key` is honoured on every POST that creates something", async () => {
  const operations = await listOperations();
  const world = await newWorld(operations);
  const probe = createProbe(world, { countEach: false });
  const validatorOf = createValidators();
  // Tickets are not stored: each request under one key returns another (tickets.test.ts). Tokens from a
  // mail or a provider, and codes of an authenticator app, are accepted once and cannot be made up. A
  // preview, the check of a domain and the files of another product store nothing. A stored response would start a session again, or return the secret of an API
  // key, an offer or a review link again (api-keys.test.ts). The deletion of an account cannot be repeated by its user.
  const notCreating =
    /^(logout|signin|startSession|rollback|restore|publishProject|previewProject|readPersonAnswers|issueTicket|resetPassword|askEmailValidation|acceptInvitation|exchangeCode|deleteMe|createApiKey|beginFactor|confirmFactor|renewRecoveryCodes|confirmSession|claimInstance|unpublishProject|offerProject|acceptOfferedProject|createReviewLink|proveInstallation|readMoveInFiles)/;
  const posts = operations.filter(
    (operation) =>
      operation.method === "POST" &&
      !notCreating.test(operation.operationId) &&
      // Uploads have tests of their own.
      !takesFile(operation) &&
      !needProvider.has(operation.operationId),
  );

  for (const operation of posts) {
    it(`${operation.operationId} returns the first response for the same key and body, 422 for another body`, async () => {
      const { key, json } = await sendFirst(operation);
      const again = await probe.send(operation, { json, headers: key.headers });
      assert.equal(again.status, key.status);
      assert.deepEqual(again.body, key.body);
      assert.equal(again.headers.get("idempotency-replayed"), "true");
      const other = Array.isArray(json) ? [...json, {}] : { ...(json as object), another: 1 };
      const refused = await probe.send(operation, { json: other, headers: key.headers });
      assert.equal(refused.status, 422, JSON.stringify(refused.body));
    });
  }

  async function sendFirst(operation: Operation) {
    const { body = {} } = operation;
    const fits = valuesOf(body, knownOf(world, operation)).filter(
      (value) => validatorOf(body)(value).length === 0,
    );
    for (const json of sampleOf(fits, 10)) {
      const headers = { "idempotency-key": randomUUID() };
      const first = await probe.send(operation, { json, headers });
      if (first.status < 300)
        return { json, key: { headers, status: first.status, body: first.body } };
    }
    return assert.fail("no body was accepted");
  }

  it("creates one resource for two concurrent requests", async () => {
    const { token } = await newUser();
    const headers = { "idempotency-key": randomUUID() };
    const send = () => fetch("/v1/vault/projects", { token, json: shop, headers });
    const answers = await Promise.all(Array.from({ length: 8 }, send));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
    assert.equal((await fetch("/v1/vault/projects", { token })).body.length, 1);
  });

  it("scopes a key to the user and the address", async () => {
    const [one, two] = [await newUser(), await newUser()];
    const headers = { "idempotency-key": randomUUID() };
    const first = await fetch("/v1/vault/projects", { token: one.token, json: shop, headers });
    const second = await fetch("/v1/vault/projects", {
      token: two.token,
      json: { ...shop, title: "T" },
      headers,
    });
    assert.equal(second.status, 201);
    assert.notEqual(second.body.id, first.body.id);
    const json = { name: "O" };
    const elsewhere = await fetch("/v1/vault/organizations", { token: one.token, json, headers });
    assert.equal(elsewhere.status, 201);
  });

  it("allows a key again after a failed request", async () => {
    const { token } = await newUser();
    const headers = { "idempotency-key": randomUUID() };
    const failed = await fetch("/v1/vault/projects", { token, json: { title: "A" }, headers });
    assert.equal(failed.status, 400);
    const impossible = { ...shop, organizationId: "ffffffffffffffffffffffff" };
    const refused = await fetch("/v1/vault/projects", { token, json: impossible, headers });
    assert.equal(refused.status, 422);
    assert.equal((await fetch("/v1/vault/projects", { token, json: shop, headers })).status, 201);
  });

  it("rejects a key that is empty or over 255 characters with 400", async () => {
    const { token } = await newUser();
    for (const key of ["", "x".repeat(256)]) {
      const headers = { "idempotency-key": key };
      const answer = await fetch("/v1/vault/projects", { token, json: shop, headers });
      assert.equal(answer.status, 400);
      assert.equal(answer.body.errors[0].path, "Idempotency-Key");
    }
  });
});
