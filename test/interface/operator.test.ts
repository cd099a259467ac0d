import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { type TestAnswer, operatorToken, service } from "../harness.ts";
import { getMe, signIn } from "./accounts.ts";

const end = (userId: string, { token = operatorToken, query = "" } = {}): Promise<TestAnswer> =>
  service.fetch(`/v1/auth/users/${userId}/tokens${query}`, { method: "DELETE", token });

async function newKey(token: string): Promise<string> {
  const json = { label: "machine", scopes: ["vault:read"] };
  const { status, body } = await service.fetch("/v1/auth/tokens", { token, json });
  assert.equal(status, 201);
  return body.token;
}

test("the operator ends all of a user's sessions and keys at once, and nobody else's", async () => {
  const [user, other] = [await service.newUser(), await service.newUser()];
  const key = await newKey(user.token);
  const second = (await signIn(user.email)).body.token;
  assert.equal((await end(user.id)).status, 204);
  for (const token of [user.token, second, key]) assert.equal((await getMe(token)).status, 403);
  assert.equal((await getMe(other.token)).status, 200);
  assert.equal((await signIn(user.email)).status, 200, "their password still signs them in");
  const row = await service.db
    .selectFrom("events")
    .select(["actor", "data"])
    .where("name", "=", "user.signed-out")
    .where(sql<string>`data->>'userId'`, "=", user.id)
    .executeTakeFirstOrThrow();
  assert.deepEqual(row, { actor: "operator", data: { userId: user.id, count: 3, kind: "all" } });
});

test("or their sessions alone, or their keys alone", async () => {
  const user = await service.newUser();
  const key = await newKey(user.token);
  assert.equal((await end(user.id, { query: "?kind=session" })).status, 204);
  assert.deepEqual([(await getMe(user.token)).status, (await getMe(key)).status], [403, 200]);
  const { token } = (await signIn(user.email)).body;
  assert.equal((await end(user.id, { query: "?kind=key" })).status, 204);
  assert.deepEqual([(await getMe(token)).status, (await getMe(key)).status], [200, 403]);
});

test("nobody but the operator does, and of nobody there is nothing to end", async () => {
  const user = await service.newUser();
  for (const token of [user.token, await newKey(user.token), "wrong"])
    assert.equal((await end(user.id, { token })).status, 403);
  assert.equal((await getMe(user.token)).status, 200);
  assert.equal((await end("f".repeat(24))).status, 404);
  assert.equal((await end(user.id, { query: "?kind=all" })).status, 400);
});
