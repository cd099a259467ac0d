import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { pino } from "pino";
import { service } from "../../../../../test/harness.ts";
import { openDatabase } from "../../../platform/db/open.ts";
import { openAuthentication } from "./authentication.ts";

const HOUR_MS = 3_600_000;
const inAnHour = (): Date => new Date(Date.now() + HOUR_MS);

async function lastSeenAt(userId: string): Promise<number> {
  const user = await service.db
    .selectFrom("users")
    .select("last_seen_at")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  return user.last_seen_at.getTime();
}

test("returns before the use of a token is recorded, and disposing waits for it", async () => {
  const { token, id } = await service.newUser();
  const log = { error: () => assert.fail("nothing to log") };
  const authentication = openAuthentication({ db: service.db, config: service.config, log });
  const now = inAnHour();
  const locked = await service.db.startTransaction().execute();
  await sql`SELECT 1 FROM users WHERE id = ${id} FOR UPDATE`.execute(locked);
  const actor = await authentication.authenticate(token, now);
  assert.deepEqual(actor?.kind === "user" && actor.userId, id);
  // A second use during the first write does not queue behind it.
  await authentication.authenticate(token, now);
  assert.ok((await lastSeenAt(id)) < now.getTime());
  await locked.commit().execute();
  await authentication[Symbol.asyncDispose]();
  assert.equal(await lastSeenAt(id), now.getTime());
});

test("logs that a use could not be recorded, and still authenticates", async () => {
  const { token, id } = await service.newUser();
  const url = `${service.databaseUrl}${service.databaseUrl.includes("?") ? "&" : "?"}`;
  const readOnly = openDatabase({
    url: `${url}options=${encodeURIComponent("-c default_transaction_read_only=on")}`,
    poolMax: 2,
    queueMax: 10,
    log: pino({ level: "silent" }),
  });
  const logged: string[] = [];
  const log = { error: (_: object, message: string) => void logged.push(message) };
  const authentication = openAuthentication({ db: readOnly, config: service.config, log });
  const actor = await authentication.authenticate(token, inAnHour());
  await authentication[Symbol.asyncDispose]();
  await readOnly.destroy();
  assert.deepEqual(actor?.kind === "user" && actor.userId, id);
  assert.deepEqual(logged, ["last token use not recorded"]);
});
