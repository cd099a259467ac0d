import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { hrefOf, paths } from "@avow/contract/urls";
import { type TestAnswer, service } from "../harness.ts";
import { assertProblem } from "../hostile/probe.ts";

const { fetch, newUser, newProject } = service;
const json = { "content-type": "application/json" };
const datePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const unknownId = "ffffffffffffffffffffffff";

describe("wire section 0, bodies", () => {
  it("are JSON in UTF-8, both ways", async () => {
    const { token } = await newUser();
    const title = "Crème brûlée 🍮 – 日本語";
    const project = await newProject(token, { title });
    const { headers, body } = await fetch(`/v1/vault/projects/${project.id}`, { token });
    assert.equal(headers.get("content-type"), "application/json; charset=utf-8");
    assert.equal(body.title, title);
    const withCharset = await fetch("/v1/vault/projects", {
      token,
      method: "POST",
      body: JSON.stringify({ title, websiteURL: "https://a.example" }),
      headers: { "content-type": "Application/JSON; charset=UTF-8" },
    });
    assert.equal(withCharset.status, 201);
    assert.equal(withCharset.body.title, title);
  });

  it("may be `application/x-www-form-urlencoded` for sign-in and sign-up; other types are 415", async () => {
    const email = `form-${crypto.randomUUID()}@example.org`;
    const form = { email, username: email, password: "correct horse & ü" };
    assert.equal((await fetch("/v1/auth/local/signup", { form })).status, 200);
    const { status, body } = await fetch("/v1/auth/local/signin", { form });
    assert.equal(status, 200);
    const refused = await fetch("/v1/vault/projects", { token: body.token, form: { title: "A" } });
    assert.equal(refused.status, 415);
    assertProblem(refused);
  });

  it("over the route's limit are 413; of a wrong content type 415; unparseable JSON is 400", async () => {
    const { token } = await newUser();
    const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = json) =>
      fetch("/v1/vault/projects", { method: "POST", token, body, headers });
    const answers: [number, TestAnswer][] = [
      [413, await send(JSON.stringify({ title: "x".repeat(2_000_000) }))],
      [415, await send("{}", { "content-type": "text/plain" })],
      [400, await send('{"title":')],
      [400, await send(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))],
      [400, await send('{"__proto__":{"x":1}}')],
    ];
    for (const [status, answer] of answers) {
      assert.equal(answer.status, status, JSON.stringify(answer.body));
      assertProblem(answer);
    }
    assert.equal(Object.getPrototypeOf({}).x, undefined);
  });

  it("that are 413 name the limit; those that are 415 name the accepted content types", async () => {
    const { token } = await newUser();
    const send = (path: string, body: string, type = "application/json") =>
      fetch(path, { method: "POST", token, body, headers: { "content-type": type } });
    const large = `{"a":"${"x".repeat(2_000_000)}"}`;
    const answers: [number, TestAnswer, string][] = [
      [413, await send("/v1/vault/projects", large), "more than 1048576 bytes"],
      [413, await send("/v1/auth/local/signin", large), "more than 16384 bytes"],
      [415, await send("/v1/vault/projects", "{}", "text/plain"), "as application/json, with"],
      [
        415,
        await send("/v1/auth/local/signin", "{}", "text/plain"),
        "as application/json or application/x-www-form-urlencoded, with",
      ],
      [
        415,
        await fetch("/v1/auth/me", { method: "PATCH", token, body: "{}" }),
        "as application/json or application/merge-patch+json, with",
      ],
    ];
    for (const [status, { status: got, body }, detail] of answers) {
      assert.equal(got, status, JSON.stringify(body));
      assert.ok(body.detail.includes(detail), body.detail);
    }
  });

  it("with a Content-Encoding are 415, compressed or not", async () => {
    const { token } = await newUser();
    const text = JSON.stringify({ title: "A", websiteURL: "https://a.example" });
    const send = (body: string | Uint8Array<ArrayBuffer>, encoding: string) =>
      fetch("/v1/vault/projects", {
        method: "POST",
        token,
        body,
        headers: { ...json, "content-encoding": encoding },
      });
    for (const body of [text, new Uint8Array(gzipSync(text))]) {
      const answer = await send(body, "gzip");
      assert.equal(answer.status, 415, JSON.stringify(answer.body));
      assertProblem(answer);
      assert.equal(answer.headers.get("accept-encoding"), "identity");
    }
    assert.equal((await send(text, "Identity")).status, 201);
    const collect = hrefOf("", paths.collect, {
      projectId: "a",
      collection: "cookies",
      identifier: "b",
    });
    const headers = { ...json, "content-encoding": "gzip" };
    assert.equal((await fetch(collect, { method: "POST", body: "{}", headers })).status, 415);
  });

  it("with unknown fields are accepted: vault documents keep them, other routes ignore them", async () => {
    const { token } = await newUser();
    const extra = { ours: { deep: [1, null, { a: "b" }] }, "": "no name", "a.b": 1, $set: {} };
    const project = await newProject(token, extra);
    const { body } = await fetch(`/v1/vault/projects/${project.id}`, { token });
    for (const [name, value] of Object.entries(extra)) assert.deepEqual(body[name], value, name);
    const me = await fetch("/v1/auth/me", {
      method: "PATCH",
      token,
      json: { displayName: "D", extra },
    });
    assert.equal(me.status, 200);
    assert.equal(me.body.extra, undefined);
  });
});

describe("wire section 0, documents", () => {
  it("have ids of 24 lower-case hexadecimal characters, time-ordered", async () => {
    const { token } = await newUser();
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.push((await newProject(token)).id);
    for (const id of ids) {
      assert.match(id, /^[0-9a-f]{24}$/);
      assert.ok(Math.abs(Number.parseInt(id.slice(0, 8), 16) - Date.now() / 1_000) < 60);
    }
    assert.equal(new Set(ids).size, 3);
  });

  it("are FLAT: own fields besides `_id`, `id`, `createdAt`, `createdBy`, `updatedAt`, `updatedBy`, `version` (1 at creation), `links`; dates are RFC 3339 with milliseconds and Z", async () => {
    const { token, id: userId } = await newUser();
    const project = await newProject(token, {
      version: 99,
      _id: unknownId,
      createdBy: "me",
      links: {},
    });
    assert.equal(project["_id"], project.id);
    assert.notEqual(project.id, unknownId);
    assert.equal(project["version"], 1);
    assert.equal(project["title"], "Shop");
    for (const field of ["createdBy", "updatedBy"]) assert.equal(project[field], userId);
    for (const field of ["createdAt", "updatedAt"])
      assert.match(String(project[field]), datePattern);
    assert.deepEqual(project["metadata"], {});
  });

  it("have `links`, each to a resource that the caller may read", async () => {
    const { token } = await newUser();
    const seen = new Set<string>();
    const project = await newProject(token);
    await fetch("/v1/vault/cookies", { token, json: { projectId: project.id } });
    const queue = [
      `${service.url}/v1/vault/projects`,
      `${service.url}/v1/auth/me`,
      `${service.url}/v1/client/`,
    ];
    for (let at = queue.shift(); at !== undefined && seen.size < 200; at = queue.shift()) {
      if (seen.has(at) || at.includes("/logout") || at.includes("#")) continue;
      seen.add(at);
      const { status, body } = await fetch(at, { token });
      // Links of actions that only accept a POST, or of a sign-in method that can only be deleted.
      const isPost =
        /\/(restore|duplicate|signin|signup|rollback|forms|identities\/[0-9a-f]+)$/.test(at);
      const isUnpublished = at.includes("/v1/publish/jobs/") && status === 404;
      assert.ok(status === 200 || isPost || isUnpublished, `${at} → ${status}`);
      queue.push(...linksIn(body));
    }
    assert.ok(seen.size > 15, [...seen].join("\n"));
  });
});

describe("wire section 0, errors", () => {
  it("follow RFC 9457 with `type`, `title`, `status`, `detail`, `instance`, and `message`; no stack trace leaves the process", async () => {
    const { token } = await newUser();
    const refused = await fetch("/v1/vault/projects/x?perPage=1", { token });
    assertProblem(refused);
    assert.deepEqual(Object.keys(refused.body), [
      "type",
      "title",
      "status",
      "detail",
      "message",
      "instance",
    ]);
    assert.equal(refused.body.instance, "/v1/vault/projects/x");
    assert.equal(refused.headers.get("cache-control"), "no-store");
  });

  it("have `errors: [{ path, message }]` for validation, with every error at once", async () => {
    const { token } = await newUser();
    const body = {
      websiteURL: "ftp://x",
      title: 5,
      colors: [],
      locales: ["en", "!", 7],
      DPO: { email: false },
    };
    const answer = await fetch("/v1/vault/projects", { token, json: body });
    assert.equal(answer.status, 400);
    const places = answer.body.errors.map((fault: { path: string }) => fault.path);
    assert.deepEqual(places.toSorted(), [
      "/DPO/email",
      "/colors",
      "/locales/1",
      "/locales/2",
      "/title",
      "/websiteURL",
    ]);
    const query = await fetch("/v1/vault/projects?page=0&perPage=1001&sort=nothing", { token });
    const named = query.body.errors.map((fault: { path: string }) => fault.path);
    assert.deepEqual(named.toSorted(), ["?page", "?perPage"]);
  });

  it("use the status codes 400, 401, 403, 404, 409, 412, 413, 415, 422, 429", async () => {
    const owner = await newUser();
    const stranger = await newUser();
    const viewer = await newUser();
    const { token } = owner;
    const project = await newProject(token);
    const at = `/v1/vault/projects/${project.id}`;
    await fetch(`${at}/users`, { token, json: { userId: viewer.id, roles: ["viewer"] } });
    const put = { method: "PUT", json: { title: "B", websiteURL: "https://b.example" } };
    const expected: [number, TestAnswer][] = [
      [400, await fetch("/v1/vault/projects", { token, json: {} })],
      [
        401,
        await fetch("/v1/auth/local/signin", {
          json: { username: owner.email, password: "wrong" },
        }),
      ],
      [403, await fetch(at)],
      [403, await fetch(at, { token: "unknown" })],
      [404, await fetch(`/v1/vault/projects/${unknownId}`, { token })],
      [404, await fetch(at, { token: stranger.token })],
      [403, await fetch(at, { ...put, token: viewer.token })],
      [409, await fetch("/v1/auth/local/signup", { json: { email: owner.email, password: "x" } })],
      [412, await fetch(at, { ...put, token, headers: { "if-match": '"0"' } })],
      [413, await fetch(at, { ...put, token, json: { a: "x".repeat(2_000_000) } })],
      [
        415,
        await fetch(at, {
          method: "PUT",
          token,
          body: "a",
          headers: { "content-type": "text/plain" },
        }),
      ],
      [422, await fetch("/v1/vault/cookies", { token, json: { projectId: unknownId } })],
      [
        422,
        await fetch("/v1/vault/cookies", {
          token,
          json: { projectId: project.id, steps: [{ name: "a", layout: "info" }] },
        }),
      ],
    ];
    for (const [status, answer] of expected) {
      assert.equal(answer.status, status, JSON.stringify(answer.body));
      assertProblem(answer);
    }
    assert.match(expected[2]?.[1].headers.get("www-authenticate") ?? "", /^Bearer/);
    let limited: TestAnswer | undefined;
    const wrong = { username: stranger.email, password: "wrong" };
    for (let n = 0; n < 11; n += 1) limited = await fetch("/v1/auth/local/signin", { json: wrong });
    assert.equal(limited?.status, 429);
    assert.match(limited.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
    assertProblem(limited);
  });
});

/** The links of every resource in a response. */
function linksIn(body: unknown): string[] {
  if (Array.isArray(body)) return body.flatMap(linksIn);
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) =>
    name === "links" ? Object.values(value as Record<string, string>) : linksIn(value),
  );
}
