import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "kysely";
import { pino } from "pino";
import { deleteExpired } from "../../packages/server/modules/auth/jobs.ts";
import { openDatabase } from "../../packages/server/platform/db/open.ts";
import { openTestDatabase } from "../database.ts";
import { type TestAnswer, type TestRequest, service } from "../harness.ts";
import { newUserBy } from "./accounts.ts";
import { openAnotherService } from "./another-service.ts";

const HOUR_MS = 3_600_000;
/** A separate service with an idle timeout, since deleting idle sessions affects all users. */
const opened = new AsyncDisposableStack();
after(() => opened.disposeAsync());
const database = opened.use(await openTestDatabase());
const log = pino({ level: "silent" });
const db = openDatabase({ url: database.url, poolMax: 2, queueMax: 100, log });
opened.defer(() => db.destroy());
const avow = opened.use(await openAnotherService(database.url, { SESSION_IDLE_HOURS: "8" }));

const send = (path: string, request: TestRequest = {}): Promise<TestAnswer> =>
  service.fetch(avow.url + path, request);
const me = (token: string): Promise<TestAnswer> => send("/v1/auth/me", { token });

/** The last use is written after the response. */
async function waitForUse(userId: string, at: Date): Promise<void> {
  for (const deadline = Date.now() + 30_000; ;) {
    const { rows } = await sql<{ used: Date }>`
      SELECT max(last_used_at) AS used FROM access_tokens WHERE user_id = ${userId}
    `.execute(db);
    if (rows[0] && rows[0].used >= at) return;
    assert.ok(Date.now() < deadline, "the use is written in time");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test("a session expires when it is idle for the configured time, one in use does not, and keys never do", async (t) => {
  t.after(() => service.clock.reset());
  const [used, resting] = [await newUserBy(send), await newUserBy(send)];
  const json = { label: "machine", scopes: ["vault:read"] };
  const key = await send("/v1/auth/tokens", { token: resting.token, json });
  for (let n = 0; n < 2; n += 1) {
    service.clock.advance(7 * HOUR_MS);
    const at = service.clock.now();
    assert.equal((await me(used.token)).status, 200);
    await waitForUse(used.id, at);
  }
  const refused = await me(resting.token);
  assert.equal(refused.status, 403);
  assert.match(refused.headers.get("www-authenticate") ?? "", /^Bearer/);
  assert.equal((await me(key.body.token)).status, 200);
});

test("expired sessions are deleted, and nothing else", async () => {
  const user = await newUserBy(send);
  const json = { label: "machine", scopes: ["vault:read"] };
  const key = await send("/v1/auth/tokens", { token: user.token, json });
  const listIds = async (): Promise<string[]> => {
    const rows = await db
      .selectFrom("access_tokens")
      .select("id")
      .where("user_id", "=", user.id)
      .execute();
    return rows.map(({ id }) => id);
  };
  const now = new Date(service.clock.now().getTime() + 9 * HOUR_MS);
  await deleteExpired(db, { now, idleMs: 10 * HOUR_MS });
  assert.equal((await listIds()).length, 2);
  await deleteExpired(db, { now, idleMs: undefined });
  assert.equal((await listIds()).length, 2);
  await deleteExpired(db, { now, idleMs: 8 * HOUR_MS });
  assert.deepEqual(await listIds(), [key.body.id]);
});
