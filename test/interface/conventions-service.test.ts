import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { problems } from "../../packages/server/http/errors/problems.ts";

const { fetch, newUser, newProject } = service;

describe("wire section 0, addresses", () => {
  it("start with `{base_url}/v1/...`. Vault routes also answer under `/vault/...`", async () => {
    const { token } = await newUser();
    const project = await newProject(token);
    for (const path of ["projects", `projects/${project.id}`, `projects/${project.id}/users`]) {
      const versioned = await fetch(`/v1/vault/${path}`, { token });
      const plain = await fetch(`/vault/${path}`, { token });
      assert.equal(versioned.status, 200, path);
      assert.equal(plain.status, 200, path);
      assert.deepEqual(plain.body, versioned.body);
    }
    const json = { websiteURL: "https://a.example", title: "A" };
    assert.equal((await fetch("/vault/projects", { token, json })).status, 201);
    assert.equal((await fetch("/vaults/projects", { token })).status, 404);
  });

  it("may end with a slash", async () => {
    const { token } = await newUser();
    const project = await newProject(token);
    const paths = ["/v1", "/v1/auth/me", "/v1/vault/projects", "/vault/projects", "/v1/client"];
    for (const path of [...paths, `/v1/vault/projects/${project.id}`]) {
      const without = await fetch(path, { token });
      const answer = await fetch(`${path}/`, { token });
      assert.equal(without.status, 200, path);
      assert.equal(answer.status, 200, `${path}/`);
      assert.deepEqual(answer.body, without.body, path);
    }
    const json = { websiteURL: "https://a.example", title: "A" };
    assert.equal((await fetch("/v1/vault/projects/", { token, json })).status, 201);
  });

  it("include `GET /v1`, which returns the name, the version and `links` to every service, the OpenAPI document and its reference page", async () => {
    const { token } = await newUser();
    const { status, body } = await fetch("/v1");
    assert.equal(status, 200);
    assert.equal(typeof body.name, "string");
    assert.match(body.version, /^\d+\.\d+\.\d+/);
    for (const name of [
      "auth",
      "vault",
      "publish",
      "app",
      "client",
      "billing",
      "openapi",
      "reference",
    ])
      assert.ok(body.links[name]?.startsWith(service.url), name);
    for (const [name, link] of Object.entries<string>(body.links)) {
      const answer = await fetch(link, { token });
      // Some only accept a POST, or require a project: a response other than 404 is enough.
      const isReachable = answer.status < 300 || answer.status === 400 || answer.status === 302;
      const isPostOnly = ["signin", "signup"].includes(name) && answer.status === 404;
      assert.ok(isReachable || isPostOnly, `${name}: ${link} → ${answer.status}`);
    }
    const reference = await fetch(body.links.reference);
    assert.ok(reference.status === 200 || reference.status === 302);
  });
});

describe("wire section 0, X-Request-Id", () => {
  it("is in every response: the one that was sent, or a new one", async () => {
    const sent = { headers: { "x-request-id": "from-the-caller.1" } };
    for (const path of [
      "/v1",
      "/v1/auth/me",
      "/nowhere",
      "/health/live",
      "/v1/vault/%ff",
      "/docs",
    ]) {
      assert.equal(
        (await fetch(path, sent)).headers.get("x-request-id"),
        "from-the-caller.1",
        path,
      );
      const made = [await fetch(path), await fetch(path)].map((a) => a.headers.get("x-request-id"));
      assert.match(made[0] ?? "", /^[0-9a-f-]{36}$/, path);
      assert.notEqual(made[0], made[1]);
    }
  });

  it("is replaced when malformed, so that no log line can be forged", async () => {
    for (const id of ["a b", "x".repeat(65), '{"a":1}', "<script>"]) {
      const { headers } = await fetch("/v1", { headers: { "x-request-id": id } });
      assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
    }
  });
});

describe("wire section 0, problems", () => {
  it("bytes that are not UTF-8 are rejected in a query as in a path", async () => {
    const { token } = await service.newUser();
    const { id } = await service.newProject(token);
    for (const text of ["%ff", "%ed%a0%80", "%", "a%zz"]) {
      const { status, body } = await fetch(`/v1/client/${id}/tokens?limit=5&q=${text}`, { token });
      assert.equal(status, 400, text);
      assert.deepEqual(body.errors, [{ path: "?q", message: "is not percent-encoded UTF-8" }]);
      assert.equal((await fetch(`/v1/client/${text}/tokens`, { token })).status, 400);
      assert.equal((await fetch(`/v1/client/${id}/tokens?q=${text}`)).status, 403);
    }
    for (const text of ["%C3%BC", "a+b", "%25ff", ""])
      assert.equal((await fetch(`/v1/client/${id}/tokens?q=${text}`, { token })).status, 200, text);
  });

  it("`type` is the path of a page, for every problem", async () => {
    for (const [name, { status, title }] of Object.entries(problems)) {
      const page = await fetch(`/problems/${name}`);
      assert.equal(page.status, 200, name);
      assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
      assert.ok(page.body.includes(title) && page.body.includes(String(status)), name);
    }
    for (const name of ["nothing", "__proto__", "toString"])
      assert.equal((await fetch(`/problems/${name}`)).status, 404);
  });
});

describe("wire section 0, CORS", () => {
  const foreign = "https://shop.example";
  const configured = "https://admin.example";
  const at = "/v1/app/consents/ffffffffffffffffffffffff/cookies/ffffffffffffffffffffffff";
  const publicRoutes = [
    { method: "POST", path: at },
    { method: "POST", path: "/v1/app/consents/ffffffffffffffffffffffff" },
    { method: "GET", path: "/v1/app/consent/ffffffffffffffffffffffff?token=a" },
    { method: "GET", path: "/cdn/ffffffffffffffffffffffff.json" },
  ];

  it("allows every origin without credentials on public routes (consent collection, the widget's read, published files)", async () => {
    for (const { method, path } of publicRoutes) {
      const { headers } = await fetch(path, {
        method,
        headers: { origin: foreign, ...(method === "POST" ? json : {}) },
        ...(method === "POST" ? { body: "{}" } : {}),
      });
      assert.equal(headers.get("access-control-allow-origin"), "*", path);
      assert.equal(headers.get("access-control-allow-credentials"), null, path);
    }
  });

  it("allows the same for their preflights", async () => {
    for (const { method, path } of publicRoutes) {
      const { status, headers } = await preflight(path, { origin: foreign, method });
      assert.equal(status, 204, path);
      assert.equal(headers.get("access-control-allow-origin"), "*", path);
      assert.ok(headers.get("access-control-allow-methods")?.includes(method));
      assert.equal(headers.get("access-control-allow-headers"), "content-type", path);
      assert.equal(headers.get("access-control-allow-credentials"), null, path);
    }
  });

  it("allows configured origins on other routes", async () => {
    const { token } = await newUser();
    for (const path of ["/v1/vault/projects", "/v1/auth/me", "/v1/client/"]) {
      const ours = await fetch(path, { token, headers: { origin: configured } });
      assert.equal(ours.headers.get("access-control-allow-origin"), configured, path);
      assert.match(ours.headers.get("vary") ?? "", /origin/i, path);
      const theirs = await fetch(path, { token, headers: { origin: foreign } });
      assert.equal(theirs.headers.get("access-control-allow-origin"), null, path);
      const asked = await preflight(path, { origin: configured, method: "PUT" });
      assert.equal(asked.headers.get("access-control-allow-origin"), configured, path);
      const refused = await preflight(path, { origin: foreign, method: "PUT" });
      assert.equal(refused.headers.get("access-control-allow-origin"), null, path);
    }
    // The same address as a list of a project's consents, for its owner only.
    const list = await fetch(publicRoutes[1]?.path ?? "", { token, headers: { origin: foreign } });
    assert.equal(list.headers.get("access-control-allow-origin"), null);
  });

  it("exposes page headers, `Link`, `ETag` and `Retry-After` to browsers", async () => {
    const { token } = await newUser();
    const { headers } = await fetch("/v1/vault/projects", {
      token,
      headers: { origin: configured },
    });
    const exposed = (headers.get("access-control-expose-headers") ?? "").toLowerCase().split(/, */);
    for (const name of [
      "x-total-count",
      "x-page",
      "x-per-page",
      "x-last-page",
      "link",
      "etag",
      "retry-after",
      "x-request-id",
      "location",
    ])
      assert.ok(exposed.includes(name), name);
  });

  const json = { "content-type": "application/json" };

  function preflight(path: string, { origin, method }: { origin: string; method: string }) {
    return fetch(path, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": method,
        "access-control-request-headers": "content-type",
      },
    });
  }
});

describe("issue, part 1: health and metrics", () => {
  it("have /health/live and /health/ready", async () => {
    assert.deepEqual((await fetch("/health/live")).body, { status: "live" });
    assert.deepEqual((await fetch("/health/ready")).body, { status: "ready" });
  });

  it("have /metrics in Prometheus' text format: the process, and requests by route, never by address", async () => {
    const { token, id } = await newUser();
    await fetch(`/v1/vault/projects/${id}`, { token });
    const { status, headers, body } = await fetch("/metrics");
    assert.equal(status, 200);
    assert.match(headers.get("content-type") ?? "", /^text\/plain; version=/);
    assert.match(body, /^# TYPE avow_http_request_duration_seconds histogram$/m);
    assert.match(
      body,
      /^avow_http_request_duration_seconds_count\{method="GET",route="\/v1\/vault\/projects\/:documentId",status="404"\} \d+$/m,
    );
    assert.match(body, /^avow_process_cpu_user_seconds_total /m);
    assert.ok(!body.includes(id) && !body.includes(token));
    for (const line of body.split("\n"))
      assert.match(line, /^(#.*|[a-z_0-9]+(\{.*\})? [-+\d.eNaInf]+( \d+)?|)$/);
  });
});
