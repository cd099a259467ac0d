import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import { openSessionCookies } from "../../../packages/server/http/session-cookie.ts";
import { type TestAnswer, service } from "../../harness.ts";
import { tokenOf, waitForMail } from "../../interface/mails.ts";

const password = "correct horse";
/** The headers of a browser on a page of the service. */
const own = { origin: service.url, "sec-fetch-site": "same-origin" };
const elsewhere: [string, Record<string, string>][] = [
  ["another site", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
  [
    "another origin of the same site",
    { origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" },
  ],
  ["a page without an origin", { origin: "null", "sec-fetch-site": "cross-site" }],
  ["a browser without fetch metadata", { origin: "https://evil.example" }],
  ["no origin at all", {}],
];

async function startSession(): Promise<{ cookie: string; email: string; answer: TestAnswer }> {
  const email = `session-${randomBytes(6).toString("hex")}@example.org`;
  const answer = await service.fetch("/v1/auth/session/signup", {
    headers: own,
    json: { email, password },
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return { cookie: cookieOf(answer), email, answer };
}

function cookieOf({ headers }: TestAnswer): string {
  return headers.get("set-cookie")?.split(";", 1)[0] ?? "";
}

const project = { websiteURL: "https://shop.example", title: "Shop" };

describe("a session in a cookie", () => {
  it("is out of the reach of scripts: the cookie is HttpOnly, and no answer holds the token", async () => {
    const { cookie, email, answer } = await startSession();
    const set = answer.headers.get("set-cookie") ?? "";
    for (const attribute of ["HttpOnly", "SameSite=Strict", "Path=/"])
      assert.ok(set.split("; ").includes(attribute), set);
    const [, token = ""] = cookie.split("=");
    assert.ok(token.length > 20, set);
    assert.ok(!JSON.stringify(answer.body).includes(token));
    assert.equal(answer.headers.get("cache-control"), "no-store");
    const me = await service.fetch("/v1/auth/me", { headers: { ...own, cookie } });
    assert.deepEqual([me.status, me.body.email], [200, email]);
    // It is the same kind of token as programs use: listed with the others, and ended with them.
    const bearer = await service.fetch("/v1/auth/tokens", { token });
    assert.equal(bearer.body.length, 1);
  });

  it("replaces the session of the request's cookie, and no other", async () => {
    const [first, other] = [await startSession(), await startSession()];
    const meOf = async (cookie: string): Promise<number> =>
      (await service.fetch("/v1/auth/me", { headers: { ...own, cookie } })).status;
    const elsewhereToo = await service.fetch("/v1/auth/session", {
      headers: own,
      json: { username: first.email, password },
    });
    const [, bearer = ""] = other.cookie.split("=");
    const again = await service.fetch("/v1/auth/session", {
      headers: { ...own, cookie: first.cookie, authorization: `Bearer ${bearer}` },
      json: { username: first.email, password },
    });
    assert.equal(again.status, 200);
    assert.equal(await meOf(first.cookie), 403, "the replaced session");
    assert.equal(await meOf(cookieOf(again)), 200);
    assert.equal(await meOf(cookieOf(elsewhereToo)), 200, "another browser's");
    assert.equal(await meOf(other.cookie), 200, "a token in a header does not belong to a browser");
    const wrong = await service.fetch("/v1/auth/session", {
      headers: { ...own, cookie: cookieOf(again) },
      json: { username: first.email, password: "wrong" },
    });
    assert.equal(wrong.status, 401);
    assert.equal(await meOf(cookieOf(again)), 200, "a failed sign-in ends no session");
  });

  it("is Secure and bound to the host when the service is reached over https", () => {
    const session = { token: "secret", expiresAt: new Date(0) };
    const set = openSessionCookies("https://consent.example").set(session);
    assert.match(set, /^__Host-avow-session=secret; .*; Path=\/; .*; Secure$/);
    assert.doesNotMatch(set, /Domain/);
  });

  for (const [where, headers] of elsewhere)
    it(`cannot write for ${where}`, async () => {
      const { cookie } = await startSession();
      const write = { json: project, headers: { ...headers, cookie } };
      const answer = await service.fetch("/v1/vault/projects", write);
      assert.deepEqual([answer.status, answer.body.type], [403, "/problems/unauthenticated"]);
      const list = await service.fetch("/v1/vault/projects", { headers: { ...own, cookie } });
      assert.deepEqual(list.body, []);
      assert.equal(list.headers.get("access-control-allow-credentials"), null);
      const done = await service.fetch("/v1/vault/projects", {
        json: project,
        headers: { ...own, cookie },
      });
      assert.equal(done.status, 201);
    });

  it("cannot be read by another origin of the same site, nor ended by a link", async () => {
    const { cookie } = await startSession();
    const [, headers = {}] = elsewhere[1] ?? [];
    const read = await service.fetch("/v1/auth/me", { headers: { ...headers, cookie } });
    assert.equal(read.status, 403);
    const link = await service.fetch("/v1/auth/logout", { headers: { ...own, cookie } });
    assert.equal(link.status, 403);
    const me = await service.fetch("/v1/auth/me", { headers: { ...own, cookie } });
    assert.equal(me.status, 200);
  });

  it("starts only from pages of the service, so that nobody is signed in as another user", async () => {
    const { email } = await startSession();
    for (const [where, headers] of elsewhere) {
      const json = { username: email, password };
      const answer = await service.fetch("/v1/auth/session", { headers, json });
      assert.equal(answer.status, 403, where);
      assert.equal(answer.headers.get("set-cookie"), null, where);
    }
    const wrong = { username: email, password: "wrong" };
    const refused = await service.fetch("/v1/auth/session", { headers: own, json: wrong });
    assert.deepEqual([refused.status, cookieOf(refused)], [401, ""]);
    const right = { username: email, password };
    const done = await service.fetch("/v1/auth/session", { headers: own, json: right });
    assert.deepEqual([done.status, cookieOf(done) === ""], [200, false]);
  });

  it("ends with the sign-out: token and cookie are gone, and a second sign-out is harmless", async () => {
    const { cookie } = await startSession();
    const [, token = ""] = cookie.split("=");
    for (const turn of [1, 2]) {
      const end = { method: "DELETE", headers: { ...own, cookie } };
      const ended = await service.fetch("/v1/auth/session", end);
      assert.equal(ended.status, 204, `${turn}`);
      assert.match(ended.headers.get("set-cookie") ?? "", /^avow-session=; Max-Age=0; /);
    }
    assert.equal((await service.fetch("/v1/auth/me", { token })).status, 403);
    const crossSite = { method: "DELETE", headers: { ...elsewhere[0]?.[1], cookie } };
    assert.equal((await service.fetch("/v1/auth/session", crossSite)).status, 403);
  });

  it("that has ended is ignored where no sign-in is required", async () => {
    const cookie = "avow-session=unknown";
    const code = await service.fetch("/v1/auth/session/exchange", {
      headers: { ...own, cookie },
      json: { code: "unknown" },
    });
    assert.equal(code.status, 400, JSON.stringify(code.body));
    const me = await service.fetch("/v1/auth/me", { headers: { ...own, cookie } });
    assert.deepEqual([me.status, me.body.type], [403, "/problems/unauthenticated"]);
  });

  it("does not authenticate consents: a page of the service collects as any browser", async () => {
    const { cookie } = await startSession();
    const headers = { ...own, cookie };
    const made = await service.fetch("/v1/vault/projects", { headers, json: project });
    const json = {
      projectId: made.body.id,
      name: "banner",
      steps: [{ name: "one", layout: "category", vendors: [{ name: "one" }] }],
    };
    const cookies = await service.fetch("/v1/vault/cookies", { headers, json });
    const at = `/v1/app/consents/${made.body.id}/cookies/${cookies.body.id}`;
    const given = { accept: true, token: "visitor", preferences: { vendors: { one: true } } };
    const consent = await service.fetch(at, { headers, json: given });
    assert.deepEqual([consent.status, consent.body.grade], [201, "browser"]);
  });

  it("starts with the link of a password reset, too, which ends the earlier sessions", async () => {
    const { cookie, email } = await startSession();
    await service.fetch("/v1/auth/local/reset-password-token", { json: { email } });
    const token = tokenOf(await waitForMail(email, /password/));
    const json = { token, password: "another password" };
    const done = await service.fetch("/v1/auth/session/reset", { headers: own, json });
    assert.equal(done.status, 200, JSON.stringify(done.body));
    const before = await service.fetch("/v1/auth/me", { headers: { ...own, cookie } });
    assert.equal(before.status, 403);
    const headers = { ...own, cookie: cookieOf(done) };
    assert.equal((await service.fetch("/v1/auth/me", { headers })).body.email, email);
    const again = await service.fetch("/v1/auth/session/reset", { headers: own, json });
    assert.deepEqual([again.status, again.headers.get("set-cookie")], [400, null]);
  });
});
