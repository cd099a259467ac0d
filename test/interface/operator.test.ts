import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { type TestAnswer, operatorToken, service } from "../harness.ts";
import { getMe, password, signIn, unique } from "./accounts.ts";
import { listMails, tokenOf, waitForMail } from "./mails.ts";

const end = (userId: string, { token = operatorToken, query = "" } = {}): Promise<TestAnswer> =>
  service.fetch(`/v1/auth/users/${userId}/tokens${query}`, { method: "DELETE", token });

async function newKey(token: string): Promise<string> {
  const json = { label: "machine", scopes: ["vault:read"] };
  const { status, body } = await service.fetch("/v1/auth/tokens", { token, json });
  assert.equal(status, 201);
  return body.token;
}

test("the operator revokes all of a user's sessions and keys at once, and nobody else's", async () => {
  const [user, other] = [await service.newUser(), await service.newUser()];
  const key = await newKey(user.token);
  const second = (await signIn(user.email)).body.token;
  assert.equal((await end(user.id)).status, 204);
  for (const token of [user.token, second, key]) assert.equal((await getMe(token)).status, 403);
  assert.equal((await getMe(other.token)).status, 200);
  assert.equal((await signIn(user.email)).status, 200, "the password still works");
  const row = await service.db
    .selectFrom("events")
    .select(["actor", "data"])
    .where("name", "=", "user.signed-out")
    .where(sql<string>`data->>'userId'`, "=", user.id)
    .executeTakeFirstOrThrow();
  assert.deepEqual(row, { actor: "operator", data: { userId: user.id, count: 3, kind: "all" } });
});

test("the operator revokes the sessions only, or the keys only", async () => {
  const user = await service.newUser();
  const key = await newKey(user.token);
  assert.equal((await end(user.id, { query: "?kind=session" })).status, 204);
  assert.deepEqual([(await getMe(user.token)).status, (await getMe(key)).status], [403, 200]);
  const { token } = (await signIn(user.email)).body;
  assert.equal((await end(user.id, { query: "?kind=key" })).status, 204);
  assert.deepEqual([(await getMe(token)).status, (await getMe(key)).status], [200, 403]);
});

test("revoking requires the operator's token, and returns 404 for an unknown user", async () => {
  const user = await service.newUser();
  for (const token of [user.token, await newKey(user.token), "wrong"])
    assert.equal((await end(user.id, { token })).status, 403);
  assert.equal((await getMe(user.token)).status, 200);
  assert.equal((await end("f".repeat(24))).status, 404);
  assert.equal((await end(user.id, { query: "?kind=all" })).status, 400);
});

const disabled = (userId: string, method: "PUT" | "DELETE", token = operatorToken) =>
  service.fetch(`/v1/auth/users/${userId}/disabled`, { method, token });

test("a disabled account loses its sessions, cannot sign in and gets no mail until it is enabled", async () => {
  const [user, other] = [await service.newOwner(), await service.newUser()];
  const key = await newKey(user.token);
  const ask = { json: { email: user.email } };
  await service.fetch("/v1/auth/local/reset-password-token", ask);
  const reset = tokenOf(await waitForMail(user.email, /new password/));
  const invited = await service.fetch("/v1/auth/invitations", {
    token: user.token,
    json: { email: other.email, data: { collection: "projects", id: user.project.id } },
  });
  assert.equal(invited.status, 200);
  assert.equal((await disabled(user.id, "PUT")).status, 204);
  assert.equal((await disabled(user.id, "PUT")).status, 204, "repeating it is not news");
  for (const token of [user.token, key]) assert.equal((await getMe(token)).status, 403);
  const refused = await signIn(user.email);
  const { type, title } = refused.body;
  const problem = ["/problems/account-disabled", "This account is disabled"];
  assert.deepEqual([refused.status, type, title], [403, ...problem]);
  const cookie = await service.fetch("/v1/auth/session", {
    json: { username: user.email, password },
    headers: { origin: service.url },
  });
  assert.deepEqual([cookie.status, cookie.headers.get("set-cookie")], [403, null]);
  const guess = await signIn(user.email, "wrong");
  const unknown = await signIn(`nobody-${unique()}@example.org`, "wrong");
  assert.deepEqual([guess.status, guess.body.detail], [401, unknown.body.detail]);
  const set = { json: { token: reset, password: "another password" } };
  assert.equal((await service.fetch("/v1/auth/local/reset-password", set)).status, 400);
  const { value } = invited.body.invitationToken;
  const accept = { method: "POST", token: other.token };
  const { status } = await service.fetch(`/v1/auth/invitations/${value}`, accept);
  assert.equal(status, 404, "the user's invitations are revoked");
  await service.fetch("/v1/auth/local/reset-password-token", ask);
  await service.fetch("/v1/auth/local/reset-password-token", { json: { email: other.email } });
  await waitForMail(other.email, /new password/);
  const resets = (await listMails(user.email)).filter(({ subject }) =>
    /new password/.test(subject ?? ""),
  );
  assert.equal(resets.length, 1, "the one from before");
  assert.equal((await disabled(user.id, "DELETE")).status, 204);
  const { token } = (await signIn(user.email)).body;
  const project = await service.fetch(`/v1/vault/projects/${user.project.id}`, { token });
  assert.equal(project.status, 200, "the roles are kept");
  const rows = await service.db
    .selectFrom("events")
    .select(["name", "actor"])
    .where(sql<string>`data->>'userId'`, "=", user.id)
    .where("name", "in", ["user.disabled", "user.enabled"])
    .orderBy("id")
    .execute();
  assert.deepEqual(rows, [
    { name: "user.disabled", actor: "operator" },
    { name: "user.enabled", actor: "operator" },
  ]);
});

test("a sign-in that is in progress while the account is disabled starts no session", async () => {
  const user = await service.newUser();
  const [closed, ...came] = await Promise.all([
    disabled(user.id, "PUT"),
    ...Array.from({ length: 8 }, () => signIn(user.email)),
  ]);
  assert.equal(closed.status, 204);
  for (const { status, body } of came) {
    assert.ok([200, 403].includes(status), String(status));
    if (status === 200) assert.equal((await getMe(body.token)).status, 403);
  }
});

test("disabling requires the operator's token, and returns 404 for an unknown user", async () => {
  const user = await service.newUser();
  for (const method of ["PUT", "DELETE"] as const) {
    assert.equal((await disabled(user.id, method, user.token)).status, 403);
    assert.equal((await disabled("f".repeat(24), method)).status, 404);
  }
});
