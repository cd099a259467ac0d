import assert from "node:assert/strict";
import { test } from "node:test";
import { type TestAnswer, service } from "../harness.ts";
import {
  signUp,
  signIn,
  getMe,
  unique,
  faultPaths,
  eventsOf,
  signinPath,
  password,
} from "./accounts.ts";

const DAY_MS = 86_400_000;

test("POST signin accepts the username or the e-mail address, in any case, and returns a new token (Authentication 2)", async () => {
  const { email, token, id } = await service.newUser();
  const one = await signIn(email);
  const other = await signIn(` ${email.toUpperCase()} `);
  assert.deepEqual([one.status, other.status], [200, 200]);
  assert.deepEqual(Object.keys(one.body).toSorted(), ["expiresAt", "links", "token"]);
  assert.equal(one.headers.get("cache-control"), "no-store");
  assert.equal(new Set([token, one.body.token, other.body.token]).size, 3);
  for (const each of [token, one.body.token, other.body.token])
    assert.equal((await getMe(each)).body.id, id);
  assert.deepEqual(await eventsOf(id), ["user.joined", "user.signed-in", "user.signed-in"]);
});

test("POST signin returns 401 with one message for an unknown user, no local identity and a wrong password", async () => {
  const { email } = await service.newUser();
  const social = await service.newUser();
  await service.db.deleteFrom("identities").where("user_id", "=", social.id).execute();
  const answers = [
    await signIn(email, "wrong"),
    await signIn(`${unique()}@example.org`),
    await signIn(social.email),
  ];
  for (const answer of answers) {
    assert.equal(answer.status, 401);
    assert.equal(answer.body.type, "/problems/wrong-credentials");
    assert.deepEqual(answer.body, answers[0]?.body);
  }
});

test("POST signin returns 429 with Retry-After for repeated failures, until the window ends", async (t) => {
  t.after(() => service.clock.reset());
  const { email, token } = await service.newUser();
  for (let i = 0; i < 10; i += 1) assert.equal((await signIn(email, `wrong ${i}`)).status, 401);
  const slowed = await signIn(email);
  assert.equal(slowed.status, 429);
  const seconds = Number(slowed.headers.get("retry-after"));
  assert.ok(seconds > 0 && seconds <= 900, String(seconds));
  assert.equal((await getMe(token)).status, 200, "open sessions stay open");
  service.clock.advance(seconds * 1_000);
  assert.equal((await signIn(email)).status, 200);
});

test("specification, Authentication 1: the token is accepted in the header and in the query parameter", async () => {
  const { token, id } = await service.newUser();
  const inHeader = await getMe(token);
  const inQuery = await service.fetch(`/v1/auth/me?access_token=${token}`);
  assert.deepEqual([inHeader.body.id, inQuery.body.id], [id, id]);
  assert.equal(inQuery.headers.get("referrer-policy"), "no-referrer");
  assert.equal(inQuery.headers.get("cache-control"), "no-store");
});

test("specification, Authentication 3: a token is valid for 15 days", async (t) => {
  t.after(() => service.clock.reset());
  const { token } = await service.newUser();
  service.clock.advance(15 * DAY_MS - 60_000);
  assert.equal((await getMe(token)).status, 200);
  service.clock.advance(60_000 + 1_000);
  assert.equal((await getMe(token)).status, 403);
});

test("specification, Authentication 4: a private route without a valid token is 403 with WWW-Authenticate", async () => {
  const { token } = await service.newUser();
  const bad = [
    "",
    "x",
    `${token}x`,
    token.slice(0, -1),
    token.toUpperCase(),
    "x".repeat(5_000),
    "%00",
  ];
  for (const path of ["/v1/auth/me", "/v1/auth/logout", "/v1/auth/tokens"]) {
    const without = await service.fetch(path);
    assert.equal(without.status, 403);
    assert.match(without.headers.get("www-authenticate") ?? "", /^Bearer/);
    for (const given of bad)
      assert.equal((await service.fetch(path, { token: given })).status, 403);
  }
  const patch = await service.fetch("/v1/auth/me", { method: "PATCH", json: { displayName: 1 } });
  assert.equal(patch.status, 403);
});

test("specification, Authentication 5: signing in again renews a token; the old one stays valid", async (t) => {
  t.after(() => service.clock.reset());
  const { token, email } = await service.newUser();
  service.clock.advance(10 * DAY_MS);
  const renewed = await signIn(email);
  assert.equal((await getMe(token)).status, 200);
  service.clock.advance(10 * DAY_MS);
  assert.equal((await getMe(token)).status, 403);
  assert.equal((await getMe(renewed.body.token)).status, 200);
});

test("specification, Authentication 6: no complexity rule, and passwords never expire", async (t) => {
  t.after(() => service.clock.reset());
  const email = `${unique()}@example.org`;
  assert.equal((await signUp({ email, password: "1" })).status, 200);
  service.clock.advance(5 * 365 * DAY_MS);
  assert.equal((await signIn(email, "1")).status, 200);
});

test("GET me returns the user, with identities and no secrets", async () => {
  const { token, email, id } = await service.newUser();
  const { status, body } = await getMe(token);
  assert.equal(status, 200);
  const { createdAt, lastSeenAt, signInMethods, links, ...rest } = body;
  assert.deepEqual(rest, {
    _id: id,
    id,
    username: email,
    email,
    identities: { local: { username: email, email } },
    emailConfirmed: false,
    displayName: email.split("@")[0],
    firstName: null,
    lastName: null,
    secondFactor: null,
    needsSecondFactor: false,
    operator: false,
  });
  assert.match(id, /^[0-9a-f]{24}$/);
  const [{ id: identityId, links: identityLinks, ...method }] = signInMethods;
  assert.deepEqual(method, { provider: "local", label: null, createdAt });
  assert.ok(identityLinks.self.endsWith(`/v1/auth/identities/${identityId}`));
  assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.ok(Date.parse(lastSeenAt) >= Date.parse(createdAt));
  assert.deepEqual(Object.keys(links).toSorted(), [
    "logout",
    "projects",
    "self",
    "tokens",
    "vault",
  ]);
  assert.ok(
    Object.values(links).every((link) => String(link).startsWith(service.config.http.publicUrl)),
  );
});

test("GET me updates lastSeenAt on use of a token, at most once a minute", async (t) => {
  t.after(() => service.clock.reset());
  const { token } = await service.newUser();
  const joined = (await getMe(token)).body.lastSeenAt;
  service.clock.advance(30_000);
  await getMe(token);
  assert.equal((await getMe(token)).body.lastSeenAt, joined);
  service.clock.advance(60_000);
  const until = Date.now() + 60_000;
  let seen = joined;
  while (seen === joined && Date.now() < until) seen = (await getMe(token)).body.lastSeenAt;
  assert.ok(Date.parse(seen) - Date.parse(joined) >= 90_000, seen);
});

test("PATCH me changes displayName, firstName, lastName; null removes one; other fields cannot be changed", async () => {
  const { token, id, email } = await service.newUser();
  const patch = (json: unknown): Promise<TestAnswer> =>
    service.fetch("/v1/auth/me", { method: "PATCH", token, json });
  const named = await patch({ displayName: " Ada ", firstName: "Ada", lastName: "Lovelace" });
  assert.equal(named.status, 200);
  assert.deepEqual(
    [named.body.displayName, named.body.firstName, named.body.lastName],
    ["Ada", "Ada", "Lovelace"],
  );
  const removed = await patch({ firstName: null, email: "x@example.org", id: "1", unknown: true });
  assert.equal(removed.status, 200);
  const { displayName, firstName, lastName } = removed.body;
  assert.deepEqual([displayName, firstName, lastName], ["Ada", null, "Lovelace"]);
  assert.deepEqual([removed.body.id, removed.body.email], [id, email]);
  assert.deepEqual((await getMe(token)).body.lastName, "Lovelace");
  assert.deepEqual((await patch({})).body, (await getMe(token)).body);
  assert.deepEqual(await eventsOf(id), ["user.joined", "user.updated", "user.updated"]);
});

test("PATCH me returns 400 with every error for invalid fields, and changes nothing", async () => {
  const { token } = await service.newUser();
  const before = (await getMe(token)).body;
  const cases: [unknown, string[]][] = [
    [{ displayName: null }, ["/displayName"]],
    [{ displayName: "" }, ["/displayName"]],
    [{ displayName: " ", firstName: "a\u0000" }, ["/firstName"]],
    [{ displayName: "  ", lastName: "\t\u001b" }, ["/displayName", "/lastName"]],
    [
      { displayName: "x".repeat(201), firstName: 1, lastName: [] },
      ["/displayName", "/firstName", "/lastName"],
    ],
    [[], ["/"]],
  ];
  for (const [json, faulty] of cases) {
    const answer = await service.fetch("/v1/auth/me", { method: "PATCH", token, json });
    assert.equal(answer.status, 400);
    assert.deepEqual(faultPaths(answer).toSorted(), faulty);
  }
  assert.deepEqual((await getMe(token)).body, before);
});

for (const method of ["GET", "POST"] as const)
  test(`${method} logout revokes the token immediately, and that token only`, async () => {
    const { token, email, id } = await service.newUser();
    const other = (await signIn(email)).body.token;
    const answer = await service.fetch("/v1/auth/logout", { method, token });
    assert.equal(answer.status, 200);
    assert.equal(answer.body.success, true);
    assert.equal(answer.body.links.signin, `${service.config.http.publicUrl}${signinPath}`);
    assert.equal((await getMe(token)).status, 403);
    assert.equal((await service.fetch("/v1/auth/logout", { method, token })).status, 403);
    assert.equal((await getMe(other)).status, 200);
    assert.deepEqual(await eventsOf(id), ["user.joined", "user.signed-in", "user.signed-out"]);
  });

test("HEAD logout revokes nothing", async () => {
  const { token } = await service.newUser();
  assert.equal((await service.fetch("/v1/auth/logout", { method: "HEAD", token })).status, 404);
  assert.equal((await getMe(token)).status, 200);
});

test("GET tokens lists the caller's sessions and only those, without their secrets", async (t) => {
  t.after(() => service.clock.reset());
  const { token, email } = await service.newUser();
  await service.newUser();
  service.clock.advance(1_000);
  const headers = { "user-agent": "curl/8 (test)" };
  const later = await service.fetch(signinPath, { json: { username: email, password }, headers });
  const list = await service.fetch("/v1/auth/tokens", { token: later.body.token });
  assert.equal(list.status, 200);
  assert.equal(list.headers.get("x-total-count"), "2");
  const [first, second] = list.body;
  assert.deepEqual([first.label, first.current, second.current], ["curl", true, false]);
  assert.deepEqual(Object.keys(first).toSorted(), [
    "_id",
    "createdAt",
    "current",
    "expiresAt",
    "id",
    "label",
    "lastUsedAt",
    "links",
    "projectId",
    "scopes",
  ]);
  assert.ok(!JSON.stringify(list.body).includes(token));
  const one = await service.fetch(first.links.self, { token: later.body.token });
  assert.deepEqual(one.body, first);
  const page = await service.fetch("/v1/auth/tokens?perPage=1&page=2", { token: later.body.token });
  assert.deepEqual(page.body, [second]);
  assert.match(page.headers.get("link") ?? "", /rel="prev"/);
});

test("DELETE tokens/{id} revokes a session of the caller, and returns 404 for another user's, which stays", async () => {
  const { token, email, id } = await service.newUser();
  const stranger = await service.newUser();
  const other = (await signIn(email)).body.token;
  const sessions = await service.fetch("/v1/auth/tokens", { token: other });
  const session = sessions.body.find((item: { current: boolean }) => item.current);
  const path = `/v1/auth/tokens/${session.id}`;
  for (const method of ["GET", "DELETE"])
    assert.equal((await service.fetch(path, { method, token: stranger.token })).status, 404);
  assert.equal((await getMe(other)).status, 200);
  assert.equal((await service.fetch(path, { method: "DELETE", token })).status, 204);
  assert.equal((await getMe(other)).status, 403);
  assert.equal((await service.fetch(path, { method: "DELETE", token })).status, 404);
  assert.deepEqual(await eventsOf(id), ["user.joined", "user.signed-in", "user.signed-out"]);
});
