import assert from "node:assert/strict";
import { test } from "node:test";
import { service } from "../harness.ts";
import {
  signUp,
  signIn,
  getMe,
  unique,
  faultPaths,
  eventsOf,
  signupPath,
  signinPath,
  password,
} from "./accounts.ts";

const DAY_MS = 86_400_000;

test("POST signup creates a user from a password and an e-mail address, and returns token, expiresAt, links", async () => {
  const email = `Ada.${unique()}@Example.org`;
  const before = Date.now();
  const answer = await signUp({ email, password });
  assert.equal(answer.status, 200);
  assert.deepEqual(Object.keys(answer.body).toSorted(), ["expiresAt", "links", "token"]);
  assert.match(answer.body.token, /^\S{32,}$/);
  const lifeMs = Date.parse(answer.body.expiresAt) - before;
  assert.ok(lifeMs >= 15 * DAY_MS && lifeMs < 15 * DAY_MS + 60_000, String(lifeMs));
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const { body: me } = await getMe(answer.body.token);
  assert.equal(me.email, email);
  assert.equal(me.username, email);
  assert.equal(me.displayName, email.split("@")[0]);
  assert.deepEqual([me.firstName, me.lastName], [null, null]);
  assert.deepEqual(await eventsOf(me.id), ["user.joined"]);
});

test("POST signup uses username and email as each other's default; stores displayName, firstName, lastName", async () => {
  const username = `grace ${unique()}`;
  const alone = await signUp({ username, password, firstName: "Grace", lastName: " Hopper " });
  const { body: me } = await getMe(alone.body.token);
  assert.deepEqual([me.username, me.email, me.displayName], [username, username, username]);
  assert.deepEqual([me.firstName, me.lastName], ["Grace", "Hopper"]);
  const both = {
    username: `u-${unique()}`,
    email: `e-${unique()}@example.org`,
    displayName: "Amazing Grace",
  };
  const named = await getMe((await signUp({ ...both, password })).body.token);
  const { username: name, email, displayName } = named.body;
  assert.deepEqual({ username: name, email, displayName }, both);
  for (const login of [both.username, both.email]) assert.equal((await signIn(login)).status, 200);
});

test("POST signup ignores unknown fields", async () => {
  const email = `${unique()}@example.org`;
  const answer = await signUp({
    email,
    password,
    _id: "mine",
    roles: ["admin"],
  });
  assert.equal(answer.status, 200);
  const me = await getMe(answer.body.token);
  assert.match(me.body.id, /^[0-9a-f]{24}$/);
  assert.equal(me.body.roles, undefined);
});

test("POST signup and signin accept application/x-www-form-urlencoded; other routes do not", async () => {
  const email = `${unique()}+tag@example.org`;
  const form = { email, username: "", password: " a&b=c+ é " };
  const up = await service.fetch(signupPath, { form });
  assert.equal(up.status, 200);
  const into = await service.fetch(signinPath, {
    form: { username: email, password: form.password },
  });
  assert.equal(into.status, 200);
  const patch = await service.fetch("/v1/auth/me", {
    method: "PATCH",
    token: up.body.token,
    form: { displayName: "x" },
  });
  assert.equal(patch.status, 415);
  const twice = await service.fetch(signinPath, {
    body: `username=${email}&password=a&password=b`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  assert.equal(twice.status, 400);
  assert.deepEqual(faultPaths(twice), ["/password"]);
});

test("POST signup returns 400 that names each missing field", async () => {
  for (const request of [{ json: {} }, { method: "POST" }, { form: { email: "", password: "" } }]) {
    const answer = await service.fetch(signupPath, request);
    assert.equal(answer.status, 400);
    for (const path of ["/password", "/username", "/email"])
      assert.ok(faultPaths(answer).includes(path), path);
  }
  assert.deepEqual(faultPaths(await signUp({ email: `${unique()}@example.org` })), ["/password"]);
  assert.deepEqual(faultPaths(await service.fetch(signinPath, { json: {} })).toSorted(), [
    "/password",
    "/username",
  ]);
});

test("POST signup rejects an empty password or one over 1,024 characters with 400, and accepts any other", async () => {
  for (const bad of ["", "x".repeat(1_025), 12_345_678, null, ["x"]]) {
    const answer = await signUp({ email: `${unique()}@example.org`, password: bad });
    assert.equal(answer.status, 400);
    assert.deepEqual(faultPaths(answer), ["/password"]);
  }
  for (const odd of [" ", "x", "💚".repeat(1_024), " cafe\u0301 "]) {
    const email = `${unique()}@example.org`;
    assert.equal((await signUp({ email, password: odd })).status, 200, odd);
    assert.equal((await signIn(email, odd)).status, 200, odd);
    const other = Array.from(odd).with(0, "#").join("");
    assert.equal((await signIn(email, other)).status, 401, odd);
  }
  const email = `${unique()}@example.org`;
  await signUp({ email, password: " cafe\u0301" });
  for (const alike of [" caf\u00E9", "cafe\u0301", " CAFE\u0301"])
    assert.equal((await signIn(email, alike)).status, 401, alike);
});

test("POST signup returns 400 with every error for names that are too long, blank or have control characters", async () => {
  const cases: [Record<string, unknown>, string[]][] = [
    [{ email: "no address" }, ["/email"]],
    [{ email: "a@b@example.org" }, ["/email"]],
    [{ email: "Ada <ada@example.org>" }, ["/email"]],
    [{ email: `${"a".repeat(250)}@b.c` }, []],
    [{ email: `${"a".repeat(251)}@b.c` }, ["/email"]],
    [{ username: "İ".repeat(200) }, ["/username"]],
    [{ username: "   " }, ["/username"]],
    [{ username: "\u200B" }, ["/username"]],
    [{ username: "a\u0007b" }, ["/username"]],
    [{ username: "abc\u202Edef" }, ["/username"]],
    [
      { username: "a\nb", email: "nope", displayName: " ", firstName: "\u0001" },
      ["/username", "/email", "/firstName", "/displayName"],
    ],
    [
      { username: 1, email: [], displayName: {}, lastName: true },
      ["/username", "/email", "/displayName", "/lastName"],
    ],
    [{ username: unique(), displayName: "x".repeat(201) }, ["/displayName"]],
  ];
  for (const [fields, faulty] of cases) {
    const answer = await signUp({ password, ...fields });
    const name = JSON.stringify(fields).slice(0, 80);
    assert.equal(answer.status, faulty.length > 0 ? 400 : 200, name);
    if (faulty.length > 0) assert.deepEqual(faultPaths(answer).toSorted(), faulty.toSorted(), name);
  }
});

test("POST signup and signin return the right 4xx for broken, oversized and malformed bodies", async () => {
  const json = { "content-type": "application/json" };
  for (const path of [signupPath, signinPath]) {
    const send = async (body: string, headers: Record<string, string> = json): Promise<number> =>
      (await service.fetch(path, { body, headers })).status;
    assert.equal(await send("{"), 400);
    assert.equal(await send("[]"), 400);
    assert.equal(await send("null"), 400);
    assert.equal(await send(`{"username":"a\\u0000","email":"a@b.c","password":"x"}`), 400);
    assert.equal(await send(`{"username":"\\ud800","email":"a@b.c","password":"x"}`), 400);
    assert.equal(await send(`{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`), 400);
    assert.equal(await send(JSON.stringify({ password: "x".repeat(17_000) })), 413);
    assert.equal(await send("x", { "content-type": "text/plain" }), 415);
    const form = { "content-type": "application/x-www-form-urlencoded" };
    assert.equal(await send("username=%00&email=a@b.c&password=x", form), 400);
    assert.equal(await send("username=%ff%fe&password=", form), 400);
    assert.equal(await send(`password=${"x".repeat(17_000)}`, form), 413);
  }
});

test("POST signup returns 409 for a username or e-mail address in use, in any case (Authentication 7)", async () => {
  const u = unique();
  const pairs: [string, string][] = [
    [`stra\u00DFe-${u}`, `STRASSE-${u}`],
    [`\u0130-${u}`, `i\u0307-${u.toUpperCase()}`],
    [`jose\u0301-${u}`, `JOS\u00C9-${u}`],
    [`ａｄａ-${u}`, ` ADA-${u} `],
  ];
  for (const [taken, again] of pairs) {
    assert.equal((await signUp({ username: taken, password })).status, 200, taken);
    const answer = await signUp({
      username: again,
      email: `${unique()}@example.org`,
      password: "other",
    });
    assert.equal(answer.status, 409, again);
    assert.deepEqual(faultPaths(answer), ["/username"]);
    assert.equal((await signIn(again)).status, 200, again);
  }
});

test("POST signup never gives two users one name, and a rejected sign-up stores nothing", async () => {
  const { email } = await service.newUser();
  const asUsername = await signUp({ username: email.toUpperCase(), password });
  assert.equal(asUsername.status, 409);
  const free = `free-${unique()}`;
  const asEmail = await signUp({ username: free, email: email.toUpperCase(), password });
  assert.equal(asEmail.status, 409);
  assert.deepEqual(faultPaths(asEmail), ["/email"]);
  assert.equal((await signIn(free)).status, 401);
  assert.equal((await signUp({ username: free, password })).status, 200);
});

test("POST signup creates one of two concurrent users with one e-mail address, and returns 409 for the other", async () => {
  const name = unique();
  const answers = await Promise.all(
    [0, 1, 2, 3, 4, 5].map((i) =>
      signUp({
        email: `${i % 2 ? name : name.toUpperCase()}@example.org`,
        username: i % 3 ? `${name}@example.org` : `${name}-${i}`,
        password,
      }),
    ),
  );
  const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b);
  assert.deepEqual(statuses, [200, 409, 409, 409, 409, 409]);
});

test("POST signup creates one user for the same Idempotency-Key and body, and returns 422 for another body", async () => {
  const headers = { "idempotency-key": unique() };
  const json = { email: `${unique()}@example.org`, password };
  const first = await service.fetch(signupPath, { json, headers });
  const again = await service.fetch(signupPath, { json, headers });
  assert.equal(again.status, 200);
  assert.deepEqual(again.body, first.body);
  assert.equal(again.headers.get("idempotency-replayed"), "true");
  const other = await service.fetch(signupPath, { json: { ...json, password: "x" }, headers });
  assert.equal(other.status, 422);
});
