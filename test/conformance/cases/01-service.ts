import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import {
  type Answer,
  assertProblem,
  assertStatus,
  getLink,
  toList,
  toText,
  toPlain,
} from "../client.ts";
import { behaviour, section } from "../behaviour.ts";
import { toBanner } from "../documents.ts";
import { createProject, openSite } from "../site.ts";
import {
  getOptions,
  noAccount,
  openOwner,
  openSecond,
  removeAtEnd,
  runId,
  visitor,
} from "../target.ts";

const services = ["app", "vault", "auth", "webhooks", "assets", "publish", "billing", "client"];
const datePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function removeProject(answer: Answer): string {
  const id = toText(answer.json["_id"], "_id");
  removeAtEnd(async () => {
    const { client } = await openOwner();
    await client.delete(`/v1/vault/projects/${id}`, { query: { confirm: id } });
  });
  return id;
}

section("Service and conventions", { isConcurrent: false }, () => {
  behaviour("names itself and links to every service", "wire 0", async () => {
    const { json } = assertStatus(await visitor.get("/v1"), 200);
    assert.equal(typeof json["name"], "string");
    assert.equal(typeof json["version"], "string");
    const links = JSON.stringify(json["links"] ?? {});
    for (const name of services) assert.match(links, new RegExp(`[/"]${name}\\b`), name);
    assert.match(links, /openapi/);
  });

  behaviour("serves the linked OpenAPI document and its reference page", "wire 0", async () => {
    const { json } = assertStatus(await visitor.get("/v1"), 200);
    const names = Object.keys(json["links"] ?? {});
    const document = assertStatus(await visitor.get(getLink(json, "openapi")), 200);
    assert.match(toText(document.json["openapi"]), /^3\./);
    const pages = await Promise.all(
      names.filter((name) => /ref|doc/.test(name)).map((name) => visitor.get(getLink(json, name))),
    );
    assert.ok(
      pages.some(({ headers }) => headers.get("content-type")?.startsWith("text/html")),
      "no link leads to a page of the reference",
    );
  });

  behaviour("answers with and without a trailing slash", "wire 0", async () => {
    const { client } = await openOwner();
    for (const path of ["/v1/vault/projects", "/v1/client", "/v1/webhooks"]) {
      const [plain, slashed] = [await client.get(path), await client.get(`${path}/`)];
      assertStatus(plain, 200);
      assertStatus(slashed, 200);
    }
  });

  behaviour(
    "answers vault routes without the version segment",
    "interface: Endpoints",
    async () => {
      const { client } = await openOwner();
      const answer = await client.post("/vault/projects", {
        websiteURL: "https://conformance.example.com",
        title: `Without version ${runId}`,
      });
      const id = removeProject(assertStatus(answer, 201));
      assertStatus(await client.get(`/vault/projects/${id}`), 200);
      assertStatus(await client.get(`/v1/vault/projects/${id}`), 200);
    },
  );

  behaviour("carries X-Request-Id in every answer", "wire 0", async () => {
    const { client } = await openOwner();
    const answers = [
      await client.get("/v1"),
      await client.get("/v1/vault/projects"),
      await client.get("/v1/no-such-thing"),
      await visitor.get("/v1/vault/projects"),
    ];
    for (const { headers } of answers) assert.ok(headers.get("x-request-id"), "X-Request-Id");
  });

  behaviour("answers 404 as a problem whose type is a page", "wire 0", async () => {
    const answer = assertProblem(await visitor.get("/v1/no-such-thing"), 404);
    const type = new URL(toText(answer.json["type"]), getOptions().baseUrl);
    assertStatus(await visitor.get(type.href), 200);
  });

  behaviour("answers 400 to JSON that cannot be parsed", "wire 0", async () => {
    const { client } = await openOwner();
    const headers = { "content-type": "application/json" };
    const request = { body: '{"title":', headers };
    assertProblem(await client.send("POST", "/v1/vault/projects", request), 400);
  });

  behaviour("answers 415 to a content type that is not taken", "wire 0", async () => {
    const { client } = await openOwner();
    const headers = { "content-type": "application/xml" };
    const request = { body: "<project/>", headers };
    assertProblem(await client.send("POST", "/v1/vault/projects", request), 415);
  });

  behaviour("answers 413 to a consent of over 100 KiB", "wire 0, 4", async () => {
    const { projectId, processing } = await openSite();
    const path = `/v1/app/consents/${projectId}/processings/${processing}`;
    const body = { accept: true, value: "x".repeat(101 * 1024) };
    assertProblem(await visitor.post(path, body), 413);
  });

  behaviour("names all faults of a body at once", "wire 0", async () => {
    const { client } = await openOwner();
    const answer = assertProblem(await client.post("/v1/vault/projects", {}), 400);
    const faults = toList(answer.json["errors"]);
    const paths = faults.map(({ path }) => toPlain(path)).join(" ");
    assert.match(paths, /websiteURL/);
    assert.match(paths, /title|name/);
    for (const { message } of faults) assert.equal(typeof message, "string");
  });

  behaviour(
    "answers 403 with WWW-Authenticate without a valid token",
    "interface: Authentication; wire 0",
    async () => {
      const unknown = visitor.withToken("conformance-unknown-token");
      for (const client of [visitor, unknown])
        for (const path of ["/v1/vault/projects", "/v1/client/", "/v1/publish/jobs"]) {
          const { headers } = assertProblem(await client.get(path), 403);
          assert.match(headers.get("www-authenticate") ?? "", /^Bearer/);
        }
    },
  );

  behaviour(
    "takes the token as a query parameter",
    "interface: Authentication; wire 0",
    async () => {
      const { token } = await openOwner();
      const query = { access_token: token, perPage: "1" };
      const answer = assertStatus(await visitor.get("/v1/vault/projects", { query }), 200);
      assert.equal(answer.headers.get("referrer-policy"), "no-referrer");
      assert.match(answer.headers.get("cache-control") ?? "", /no-store/);
      assert.doesNotMatch(answer.headers.get("link") ?? "", /access_token/);
      assert.ok(!answer.text.includes(token), "the token is in the answer");
    },
  );

  behaviour("writes ids, dates and versions as specified", "wire 0", async () => {
    const project = await createProject();
    assert.match(toText(project["_id"]), /^[0-9a-f]{24}$/);
    assert.equal(project["id"], project["_id"]);
    const seconds = Number.parseInt(toText(project["_id"]).slice(0, 8), 16);
    const createdAt = toText(project["createdAt"]);
    assert.ok(Math.abs(seconds - Date.parse(createdAt) / 1000) < 5, "the id begins with seconds");
    assert.match(createdAt, datePattern);
    assert.match(toText(project["updatedAt"]), datePattern);
    assert.equal(project["version"], 1);
    const { id } = await openOwner();
    assert.match(JSON.stringify(project["createdBy"]), new RegExp(id));
    assert.match(JSON.stringify(project["updatedBy"]), new RegExp(id));
    assertStatus(await (await openOwner()).client.get(getLink(project, "self")), 200);
  });

  behaviour("ignores service fields of a body", "wire 0", async () => {
    const project = await createProject({ _id: "0".repeat(24), createdAt: "2001-01-01" });
    assert.notEqual(project["_id"], "0".repeat(24));
    assert.match(toText(project["createdAt"]), datePattern);
    assert.doesNotMatch(toText(project["createdAt"]), /^2001/);
  });

  behaviour("never rejects unknown fields", "wire 0", async () => {
    const { projectId, processing } = await openSite();
    const path = `/v1/app/consents/${projectId}/processings/${processing}`;
    assertStatus(await visitor.post(path, { accept: true, conformanceField: { a: 1 } }), 201);
    const { client } = await openOwner();
    assertStatus(await client.patch("/v1/auth/me", { conformanceField: true }), 200);
  });

  behaviour("returns an ETag, and 304 without content headers for it", "wire 0, 9", async () => {
    const { client } = await openOwner();
    const path = `/v1/vault/projects/${toText((await createProject())["_id"])}`;
    const etag = (await client.get(path)).headers.get("etag") ?? "";
    assert.match(etag, /^(?:W\/)?".+"$/);
    const answer = await client.get(path, { headers: { "if-none-match": etag } });
    assertStatus(answer, 304);
    assert.equal(answer.headers.get("content-type"), null, "Content-Type of 304");
    assert.equal(answer.headers.get("content-length"), null, "Content-Length of 304");
    assert.equal(answer.bytes.byteLength, 0);
  });

  behaviour("answers 412 to a stale If-Match of PUT, PATCH and DELETE", "wire 0", async () => {
    const { client } = await openOwner();
    const project = await createProject();
    const path = `/v1/vault/projects/${toText(project["_id"])}`;
    const stale = (await client.get(path)).headers.get("etag") ?? "";
    assertStatus(await client.patch(path, { title: "Changed" }), 200);
    const headers = { "if-match": stale };
    const body = { websiteURL: "https://conformance.example.com", title: "Stale" };
    assertProblem(await client.put(path, body, { headers }), 412);
    assertProblem(await client.patch(path, { title: "Stale" }, { headers }), 412);
    assertProblem(await client.delete(path, { headers }), 412);
    const current = (await client.get(path)).headers.get("etag") ?? "";
    const fresh = { headers: { "if-match": current } };
    assertStatus(await client.patch(path, { title: "Fresh" }, fresh), 200);
  });

  behaviour("answers a repeated Idempotency-Key with the first answer", "wire 0", async () => {
    const { client } = await openOwner();
    const headers = { "idempotency-key": randomUUID() };
    const body = { websiteURL: "https://conformance.example.com", title: `Once ${runId}` };
    const first = assertStatus(await client.post("/v1/vault/projects", body, { headers }), 201);
    const id = removeProject(first);
    const second = assertStatus(await client.post("/v1/vault/projects", body, { headers }), 201);
    assert.equal(second.json["_id"], id);
    const other = { ...body, title: `Other ${runId}` };
    assertProblem(await client.post("/v1/vault/projects", other, { headers }), 422);
  });

  behaviour("creates one document for two requests at once with one key", "wire 0", async () => {
    const { client } = await openOwner();
    const headers = { "idempotency-key": randomUUID() };
    const body = { websiteURL: "https://conformance.example.com", title: `At once ${runId}` };
    const answers = await Promise.all(
      [1, 2].map(() => client.post("/v1/vault/projects", body, { headers })),
    );
    for (const answer of answers) if (answer.status === 201) removeProject(answer);
    const ids = new Set(answers.flatMap(({ json }) => (json["_id"] ? [toPlain(json["_id"])] : [])));
    assert.equal(ids.size, 1, "one project");
    for (const answer of answers) assertStatus(answer, 201, 409);
  });

  behaviour("pages a bare array with its headers", "wire 0", async () => {
    const { client } = await openOwner();
    for (let n = 0; n < 3; n += 1) await createProject();
    const query = { page: "2", perPage: "1", sort: "-createdAt" };
    const answer = assertStatus(await client.get("/v1/vault/projects", { query }), 200);
    assert.equal(toList(answer.json).length, 1);
    assert.ok(Array.isArray(answer.json), "a bare array");
    const total = Number(answer.headers.get("x-total-count"));
    assert.ok(total >= 3, "X-Total-Count");
    assert.equal(answer.headers.get("x-page"), "2");
    assert.equal(answer.headers.get("x-per-page"), "1");
    assert.equal(answer.headers.get("x-last-page"), toPlain(total));
    const link = answer.headers.get("link") ?? "";
    for (const relation of ["first", "prev", "next", "last"])
      assert.match(link, new RegExp(`rel="?[^"]*${relation}`), `Link: ${relation}`);
    const next = /<([^>]+)>; *rel="?next/.exec(link)?.[1] ?? "";
    const nextPage = assertStatus(await client.get(next), 200);
    assert.equal(nextPage.headers.get("x-page"), "3");
    assert.notEqual(toList(nextPage.json)[0]?.["_id"], toList(answer.json)[0]?.["_id"]);
  });

  behaviour("has a default of 100 and a limit of 1000 for perPage", "wire 0", async () => {
    const { client } = await openOwner();
    const usual = assertStatus(await client.get("/v1/vault/projects"), 200);
    assert.equal(usual.headers.get("x-per-page"), "100");
    assert.equal(usual.headers.get("x-page"), "1");
    const large = await client.get("/v1/vault/projects", { query: { perPage: "1001" } });
    if (large.status === 200) assert.equal(large.headers.get("x-per-page"), "1000");
    else assertProblem(large, 400);
  });

  behaviour("has one last page for an empty list", "wire 0", async () => {
    const { client } = await openOwner();
    const query = { projectId: "0".repeat(24) };
    const answer = assertStatus(await client.get("/v1/vault/cookies", { query }), 200);
    assert.deepEqual(answer.json, []);
    assert.equal(answer.headers.get("x-total-count"), "0");
    assert.equal(answer.headers.get("x-last-page"), "1");
  });

  behaviour("sorts a list by several fields", "wire 0", async () => {
    const { client } = await openOwner();
    const projectId = toText((await createProject())["_id"]);
    for (const [country, title] of [
      ["FR", "b"],
      ["DE", "a"],
      ["FR", "a"],
    ] as const) {
      const body = toBanner(projectId, { country, title, name: `${country}-${title}` });
      assertStatus(await client.post("/v1/vault/cookies", body), 201);
    }
    const query = { projectId, sort: "country,-title" };
    const answer = assertStatus(await client.get("/v1/vault/cookies", { query }), 200);
    const order = toList(answer.json).map(({ country, title }) =>
      [country, title].map(toPlain).join(" "),
    );
    assert.deepEqual(order, ["DE a", "FR b", "FR a"]);
  });

  behaviour("exposes page headers to browsers", "wire 0", async (t) => {
    const { projectId } = await openSite();
    const { client } = await openOwner();
    const headers = { origin: new URL(getOptions().baseUrl).origin };
    const answer = await client.get(`/v1/app/consents/${projectId}`, { headers });
    const exposed = (answer.headers.get("access-control-expose-headers") ?? "").toLowerCase();
    if (exposed === "" && !answer.headers.has("access-control-allow-origin"))
      return t.skip("the service's own origin is none of the configured origins");
    for (const name of ["x-total-count", "x-page", "x-per-page", "x-last-page", "link"])
      assert.ok(exposed.includes(name), `Access-Control-Expose-Headers has ${name}`);
  });

  behaviour("allows every origin without credentials on public routes", "wire 0", async () => {
    const { projectId, processing, job } = await openSite();
    const headers = {
      origin: "https://any-shop.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type",
    };
    const path = `/v1/app/consents/${projectId}/processings/${processing}`;
    const preflight = assertStatus(await visitor.send("OPTIONS", path, { headers }), 200, 204);
    assert.equal(preflight.headers.get("access-control-allow-origin"), "*");
    assert.match(preflight.headers.get("access-control-allow-methods") ?? "", /POST/);
    const query = { token: `visitor-${runId}`, service: "processings", identifier: processing };
    const addresses = [
      [`/v1/app/consent/${projectId}`, query],
      [toText(job["url"]), {}],
    ] as const;
    for (const [address, parameters] of addresses) {
      const request = { headers: { origin: "https://any-shop.example" }, query: parameters };
      const answer = assertStatus(await visitor.get(address, request), 200);
      assert.equal(answer.headers.get("access-control-allow-origin"), "*", address);
      assert.equal(answer.headers.get("access-control-allow-credentials"), null);
    }
  });

  behaviour("allows no foreign origin on private routes", "wire 0", async () => {
    const { client } = await openOwner();
    const headers = { origin: "https://foreign.example" };
    const answer = await client.get("/v1/vault/projects", { headers });
    const allowed = answer.headers.get("access-control-allow-origin");
    assert.ok(allowed !== "*" && allowed !== "https://foreign.example", "the origin is allowed");
  });

  behaviour("does not reveal documents of others: 404", "wire 0", async (t) => {
    const second = await openSecond();
    if (!second) return t.skip(noAccount);
    const { projectId, banner } = await openSite();
    const paths = [
      `/v1/vault/projects/${projectId}`,
      `/v1/vault/cookies/${banner}`,
      `/v1/client/${projectId}`,
      `/v1/publish/jobs/${projectId}`,
      `/v1/app/consents/${projectId}`,
      `/v1/client/${projectId}/tokens`,
    ];
    for (const path of paths) assertProblem(await second.client.get(path), 404);
    assertProblem(await second.client.delete(`/v1/vault/projects/${projectId}`), 404);
  });

  behaviour(
    "takes no body or an empty one where an operation has no fields",
    "wire 9",
    async () => {
      const { projectId } = await openSite();
      const { client } = await openOwner();
      const path = `/v1/publish/jobs/${projectId}`;
      const headers = { "content-type": "application/json" };
      assertStatus(await client.post(path), 202);
      assertStatus(await client.post(path, {}), 202);
      assertStatus(await client.send("POST", path, { headers }), 202);
      assertStatus(await client.send("POST", path, { headers, body: "" }), 202);
    },
  );
});
