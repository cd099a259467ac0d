import assert from "node:assert/strict";
import { after, afterEach, beforeEach, test } from "node:test";
import { pino } from "pino";
import { openDatabase } from "../../packages/server/platform/db/open.ts";
import { openTestDatabase } from "../database.ts";
import { type TestAnswer, type TestRequest, operatorToken, service } from "../harness.ts";
import { faultPaths, newUserBy, password, signupPath, unique } from "./accounts.ts";
import { type AnotherService, openAnotherService } from "./another-service.ts";
import { addFactor } from "./factors.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const log = pino({ level: "silent" });

type User = Awaited<ReturnType<typeof newUserBy>>;

afterEach(() => service.clock.reset());

/** A service of its own, with settings of its own. */
async function openFresh(env: Record<string, string> = {}) {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await openTestDatabase());
  const node = opened.use(await openAnotherService(database.url, env));
  const db = opened.use(openDatabase({ url: database.url, poolMax: 2, queueMax: 10, log }));
  const send = (path: string, request: TestRequest = {}): Promise<TestAnswer> =>
    service.fetch(node.url + path, request);
  const owned = opened.move();
  return {
    node,
    db,
    url: database.url,
    send,
    newUser: () => newUserBy(send),
    newClaim: () => getClaim(node),
    claim: (user: User, token: string) =>
      send("/v1/auth/claim", { token: user.token, json: { token } }),
    /** The events of these users as operators: their name, actor and data. */
    events: (actors: string[]) =>
      db
        .selectFrom("events")
        .select(["name", "actor", "data"])
        .where("name", "in", ["operator.added", "operator.removed"])
        .where("actor", "in", actors)
        .execute(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function getClaim(node: AnotherService): Promise<string> {
  return (await node.createFirstClaim()) ?? assert.fail("the start prints no link");
}

const shared = await openFresh({ OPERATOR_TOKEN: operatorToken });
after(() => shared[Symbol.asyncDispose]());
/** Each test starts without operators and links. */
beforeEach(async () => {
  await shared.db.updateTable("users").set({ operator_at: null }).execute();
  await shared.db.deleteFrom("claims").execute();
});

const operators = "/v1/auth/operators";
const isOperator = async ({ send }: Pick<typeof shared, "send">, token: string): Promise<boolean> =>
  (await send("/v1/auth/me", { token })).body.operator;
const isRefused = ({ status, body }: TestAnswer): boolean =>
  status === 403 && body.type === "/problems/forbidden";

/** A new operator of the shared service. */
async function newOperator(): Promise<User> {
  const user = await shared.newUser();
  const json = { userId: user.id };
  const added = await shared.send(operators, { token: operatorToken, json });
  assert.equal(added.status, 201, JSON.stringify(added.body));
  return user;
}

test("an account with the link of the start is an operator, and no start prints a link then", async () => {
  const user = await shared.newUser();
  assert.equal(await isOperator(shared, user.token), false);
  assert.ok(isRefused(await shared.send(operators, { token: user.token })));
  const first = await shared.newClaim();
  const second = await shared.newClaim();
  const claimed = await shared.claim(user, first);
  assert.deepEqual([claimed.status, claimed.body], [200, { success: true }]);
  assert.equal(await isOperator(shared, user.token), true);
  const list = await shared.send(operators, { token: user.token });
  assert.deepEqual([list.status, list.body.length, list.body[0].email], [200, 1, user.email]);
  assert.equal(list.headers.get("x-total-count"), "1");
  const one = await shared.send(new URL(list.body[0].links.self).pathname, { token: user.token });
  assert.deepEqual(one.body, list.body[0]);
  assert.equal(await shared.node.createFirstClaim(), undefined);
  const other = await shared.newUser();
  for (const token of [first, second]) {
    const again = await shared.claim(other, token);
    assert.deepEqual([again.status, faultPaths(again)], [422, ["/token"]]);
  }
  const data = { userId: user.id, by: "claim" };
  assert.deepEqual(await shared.events([user.id, other.id]), [
    { name: "operator.added", actor: user.id, data },
  ]);
});

test("a new account claims with its sign-up, also when sign-ups are closed", async (t) => {
  const setMode = (mode: string) =>
    shared.send("/v1/auth/signups", { method: "PUT", token: operatorToken, json: { mode } });
  t.after(() => setMode("open"));
  await setMode("closed");
  const claimToken = await shared.newClaim();
  const json = { email: `first-${unique()}@example.org`, password };
  assert.equal((await shared.send(signupPath, { json })).status, 403);
  const wrong = await shared.send(signupPath, { json: { ...json, claimToken: "wrong" } });
  assert.deepEqual([wrong.status, faultPaths(wrong)], [422, ["/claimToken"]]);
  const { status, body } = await shared.send(signupPath, { json: { ...json, claimToken } });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(await isOperator(shared, body.token), true);
  const more = { ...json, email: `second-${unique()}@example.org`, claimToken };
  assert.equal((await shared.send(signupPath, { json: more })).status, 422);
});

test("accepts one of several claims at once, by accounts and by sign-ups", async () => {
  const users = await Promise.all([1, 2, 3].map(() => shared.newUser()));
  const tokens = [await shared.newClaim(), await shared.newClaim()];
  const answers = await Promise.all([
    ...users.map((user, at) => shared.claim(user, tokens[at % 2] ?? "")),
    ...tokens.map((claimToken) =>
      shared.send(signupPath, {
        json: { email: `new-${unique()}@example.org`, password, claimToken },
      }),
    ),
  ]);
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  assert.deepEqual(statuses, [200, 422, 422, 422, 422]);
  const list = await shared.send(operators, { token: operatorToken });
  assert.equal(list.body.length, 1);
  const made = await shared.db
    .selectFrom("users")
    .select("operator_at")
    .where("email", "like", "new-%")
    .execute();
  assert.ok(
    made.every(({ operator_at: at }) => at !== null),
    "a sign-up that lost creates no account",
  );
});

test("a claim is stored as a hash, needs a session, and expires after a day", async () => {
  const token = await shared.newClaim();
  const [row] = await shared.db.selectFrom("claims").selectAll().execute();
  assert.equal(row?.hash.length, 32);
  assert.ok(!row?.hash.equals(Buffer.from(token, "base64url")));
  assert.equal((await shared.send("/v1/auth/claim", { json: { token } })).status, 403);
  const user = await shared.newUser();
  const json = { label: "machine", scopes: ["vault:write"] };
  const key = await shared.send("/v1/auth/tokens", { token: user.token, json });
  const byKey = await shared.send("/v1/auth/claim", { token: key.body.token, json: { token } });
  assert.ok(isRefused(byKey));
  service.clock.advance(DAY_MS + 1_000);
  assert.equal((await shared.claim(user, token)).status, 422);
  assert.equal((await shared.claim(user, await shared.newClaim())).status, 200);
});

test("an operator's session has the rights of the operator's token, while it is recent", async () => {
  const operator = await newOperator();
  const user = await shared.newUser();
  const path = `/v1/auth/users/${user.id}/disabled`;
  const put = { method: "PUT", token: operator.token };
  service.clock.advance(16 * MINUTE_MS);
  const stale = await shared.send(path, put);
  assert.deepEqual([stale.status, stale.body.type], [403, "/problems/confirmation-needed"]);
  assert.equal((await shared.send(operators, { token: operator.token })).status, 200, "reads");
  const confirm = { token: operator.token, json: { password } };
  assert.equal((await shared.send("/v1/auth/confirm", confirm)).status, 200);
  assert.equal((await shared.send(path, put)).status, 204);
  assert.equal((await shared.send("/v1/auth/me", { token: user.token })).status, 403);
  const row = await shared.db
    .selectFrom("events")
    .select(["actor", "token_id"])
    .where("name", "=", "user.disabled")
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  assert.equal(row.actor, operator.id, "the audit trail names the account");
  assert.match(row.token_id ?? "", /^[0-9a-f]{24}$/);
});

test("an operator with a second factor confirms with a code, not with the password", async () => {
  const operator = await newOperator();
  const { nextCode } = await addFactor(operator.token, shared.send);
  service.clock.advance(16 * MINUTE_MS);
  const put = { method: "PUT", token: operator.token, json: { mode: "open" } };
  assert.equal((await shared.send("/v1/auth/signups", put)).status, 403);
  const byPassword = { token: operator.token, json: { password } };
  assert.equal((await shared.send("/v1/auth/confirm", byPassword)).status, 400);
  const byCode = { token: operator.token, json: { code: nextCode() } };
  assert.equal((await shared.send("/v1/auth/confirm", byCode)).status, 200);
  assert.equal((await shared.send("/v1/auth/signups", put)).status, 200);
});

test("an operator's API keys, tokens in a URL and other users have no operator's rights", async () => {
  const operator = await newOperator();
  const json = { label: "machine", scopes: ["vault:write"] };
  const key = await shared.send("/v1/auth/tokens", { token: operator.token, json });
  assert.ok(isRefused(await shared.send(operators, { token: key.body.token })));
  assert.equal((await shared.send(`${operators}?access_token=${operator.token}`)).status, 403);
  const user = await shared.newUser();
  for (const request of [
    { token: user.token },
    { token: user.token, json: { userId: user.id } },
    { token: user.token, method: "DELETE" },
  ]) {
    const path = "method" in request ? `${operators}/${operator.id}` : operators;
    assert.ok(isRefused(await shared.send(path, request)));
  }
  assert.equal(await isOperator(shared, user.token), false);
});

test("operators add others by id and by address, and remove them at once", async () => {
  const operator = await newOperator();
  const [one, two] = [await shared.newUser(), await shared.newUser()];
  const add = (json: object) => shared.send(operators, { token: operator.token, json });
  assert.equal((await add({ userId: one.id })).status, 201);
  const added = await add({ email: two.email.toUpperCase() });
  assert.deepEqual([added.status, added.body.id], [201, two.id]);
  assert.equal((await add({ email: two.email })).status, 201, "repeating it changes nothing");
  const unknown = await add({ email: `nobody-${unique()}@example.org` });
  assert.deepEqual([unknown.status, faultPaths(unknown)], [422, ["/email"]]);
  const missing = await add({ userId: "f".repeat(24) });
  assert.deepEqual([missing.status, faultPaths(missing)], [422, ["/userId"]]);
  assert.equal((await add({})).status, 400);
  const remove = (id: string) =>
    shared.send(`${operators}/${id}`, { method: "DELETE", token: operator.token });
  assert.equal((await remove(two.id)).status, 204);
  assert.equal((await remove(two.id)).status, 404);
  assert.ok(isRefused(await shared.send(operators, { token: two.token })));
  assert.equal(await isOperator(shared, two.token), false);
});

test("an address must be confirmed to name an operator where mails are sent", async () => {
  await using fresh = await openFresh({
    OPERATOR_TOKEN: operatorToken,
    RIGHTS_BY_EMAIL: "confirmed",
  });
  const { email, id } = await fresh.newUser();
  const add = (json: object) => fresh.send(operators, { token: operatorToken, json });
  assert.equal((await add({ email })).status, 422);
  assert.equal((await add({ userId: id })).status, 201);
});

test("the last operator cannot be removed, disabled or deleted; the account can be after another is added", async () => {
  const [last, next] = [await shared.newUser(), await shared.newUser()];
  assert.equal((await shared.claim(last, await shared.newClaim())).status, 200);
  const { token } = last;
  const me = await shared.send("/v1/auth/me", { token });
  const json = { confirm: me.body.username, password };
  const endings: [string, TestRequest][] = [
    [`${operators}/${last.id}`, { method: "DELETE", token }],
    [`/v1/auth/users/${last.id}/disabled`, { method: "PUT", token: operatorToken }],
    ["/v1/auth/me/deletion", { token, json }],
  ];
  for (const [path, request] of endings) {
    const { status, body } = await shared.send(path, request);
    assert.deepEqual([status, body.type], [409, "/problems/conflict"], path);
    assert.match(body.detail, /last operator/);
  }
  assert.equal(await isOperator(shared, token), true);
  const added = { token, json: { userId: next.id } };
  assert.equal((await shared.send(operators, added)).status, 201);
  const disable = `/v1/auth/users/${next.id}/disabled`;
  assert.equal((await shared.send(disable, { method: "PUT", token })).status, 204);
  assert.equal((await shared.send(disable, { method: "DELETE", token })).status, 204);
  const left = await shared.send(operators, { token });
  assert.equal(left.body.length, 1, "an account that is enabled again is no operator");
});

test("keeps one of two operators who remove each other at once", async () => {
  const users = [await shared.newUser(), await shared.newUser()];
  for (const { id } of users)
    await shared.send(operators, { token: operatorToken, json: { userId: id } });
  const [a, b] = users;
  assert.ok(a && b);
  const remove = (by: User, id: string) =>
    shared.send(`${operators}/${id}`, { method: "DELETE", token: by.token });
  const answers = await Promise.all([remove(a, b.id), remove(b, a.id)]);
  const statuses = answers.map(({ status }) => status);
  assert.ok(statuses.includes(204), String(statuses));
  assert.ok(!statuses.every((status) => status === 204), String(statuses));
  assert.equal((await shared.send(operators, { token: operatorToken })).body.length, 1);
});

test("an account without the required second factor claims, and has its rights with the factor", async () => {
  await using fresh = await openFresh({ SECOND_FACTOR: "required" });
  const user = await fresh.newUser();
  assert.equal((await fresh.claim(user, await fresh.newClaim())).status, 200);
  const before = await fresh.send(operators, { token: user.token });
  assert.deepEqual([before.status, before.body.type], [403, "/problems/factor-needed"]);
  await addFactor(user.token, fresh.send);
  assert.equal((await fresh.send(operators, { token: user.token })).status, 200);
});
