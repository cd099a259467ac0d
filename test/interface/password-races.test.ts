import assert from "node:assert/strict";
import { sql } from "kysely";
import { test } from "node:test";
import { type TestAnswer, service } from "../harness.ts";
import { getMe, password, signIn } from "./accounts.ts";
import { tokenOf, waitForMail } from "./mails.ts";

const WAIT_MS = 30_000;
const newPassword = "battery staple";

interface User {
  token: string;
  email: string;
  id: string;
}

/** Waits until `count` requests wait for the lock of a user. */
async function waitForQueue(count: number): Promise<void> {
  for (const deadline = Date.now() + WAIT_MS; ;) {
    const { rows } = await sql<{ waiting: number }>`
      SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%"users"%for update%'
    `.execute(service.db);
    if ((rows[0]?.waiting ?? 0) >= count) return;
    assert.ok(Date.now() < deadline, `timed out waiting for ${count} requests`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Resets the user's password while `begin`, already authenticated with the old one, waits for the lock. */
async function resetConcurrently(
  user: User,
  begin: () => Promise<TestAnswer>,
): Promise<{ answer: TestAnswer; reset: TestAnswer }> {
  await service.fetch("/v1/auth/local/reset-password-token", { json: { email: user.email } });
  const token = tokenOf(await waitForMail(user.email, /Choose a new password/));
  const { reset, begun } = await service.db.transaction().execute(async (tx) => {
    await tx.selectFrom("users").select("id").where("id", "=", user.id).forUpdate().execute();
    // Locks are granted in the order of the requests.
    const first = service.fetch("/v1/auth/local/reset-password", {
      json: { token, password: newPassword },
    });
    await waitForQueue(1);
    const second = begin();
    await waitForQueue(2);
    return { reset: first, begun: second };
  });
  return { answer: await begun, reset: await reset };
}

async function assertReset(user: User, reset: TestAnswer): Promise<void> {
  assert.equal(reset.status, 200, JSON.stringify(reset.body));
  assert.equal((await getMe(user.token)).status, 403);
  assert.equal((await signIn(user.email, newPassword)).status, 200);
  const { body: tokens } = await service.fetch("/v1/auth/tokens", { token: reset.body.token });
  assert.deepEqual(
    tokens.map(({ scopes }: { scopes?: string[] }) => scopes ?? "session"),
    ["session", "session"],
    "the reset's session, and the sign-in after it",
  );
}

test("a sign-in with the old password that overlaps a reset starts no session", async () => {
  const user = await service.newUser();
  const { answer, reset } = await resetConcurrently(user, () => signIn(user.email));
  assert.equal(answer.status, 401);
  await assertReset(user, reset);
});

test("a change of the password with the old one that overlaps a reset changes nothing", async () => {
  const user = await service.newUser();
  const json = { current: password, new: "from a thief", confirm: "from a thief" };
  const { answer, reset } = await resetConcurrently(user, () =>
    service.fetch("/v1/auth/local/update-password", { method: "PUT", token: user.token, json }),
  );
  assert.equal(answer.status, 400);
  await assertReset(user, reset);
});

test("an API key that is requested during a reset is not created", async () => {
  const user = await service.newUser();
  const json = { label: "from a thief", scopes: ["vault:read"] };
  const { answer, reset } = await resetConcurrently(user, () =>
    service.fetch("/v1/auth/tokens", { token: user.token, json }),
  );
  assert.equal(answer.status, 403);
  await assertReset(user, reset);
});
