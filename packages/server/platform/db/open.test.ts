import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import { type TestDatabase, openTestDatabase } from "../../../../test/database.ts";
import type { Db } from "./db.ts";
import { migrateDatabase } from "./migrations/migrate.ts";
import {
  DatabaseBusyError,
  assertPostgresVersion,
  openDatabase,
  isDatabaseUnavailable,
} from "./open.ts";

let database: TestDatabase;
let folder: string;
const logged: object[] = [];
const log = {
  info: (fields: object) => void logged.push(fields),
  warn: (fields: object) => void logged.push(fields),
};

function open(options: { poolMax: number; queueMax: number; timeoutMs?: number }): Db {
  return openDatabase({ url: database.url, log, ...options });
}

before(async () => {
  database = await openTestDatabase({ isEmpty: true });
  folder = await mkdtemp(join(tmpdir(), "avow-migrations-"));
});
after(async () => {
  await rm(folder, { recursive: true, force: true });
  await database[Symbol.asyncDispose]();
});

test("parses int8 as number, date as text and timestamptz as Date", async () => {
  const db = open({ poolMax: 1, queueMax: 10 });
  const query = sql`SELECT 9007199254740991::int8 AS safe, 9007199254740992::int8 AS unsafe,
    date '2026-02-28' AS day, timestamptz '2026-02-28T01:02:03.004Z' AS moment`;
  const { rows } = await query.execute(db);
  assert.deepEqual(rows[0], {
    safe: 9_007_199_254_740_991,
    unsafe: "9007199254740992",
    day: "2026-02-28",
    moment: new Date("2026-02-28T01:02:03.004Z"),
  });
  await db.destroy();
});

test("a server that became a standby is unavailable", async () => {
  const db = open({ poolMax: 1, queueMax: 1 });
  const written = db.transaction().execute(async (tx) => {
    // As on a standby.
    await sql`SET TRANSACTION READ ONLY`.execute(tx);
    await sql`CREATE TABLE unwritten (n int)`.execute(tx);
  });
  await assert.rejects(written, isDatabaseUnavailable);
  await db.destroy();
});

test("takes a worker of Citus that is lost in a commit for an unavailable database", () => {
  const toError = (routine: string) =>
    Object.assign(new Error("could not commit"), { code: "XX000", routine });
  assert.ok(isDatabaseUnavailable(toError("ErrorIfPostCommitFailedShardPlacements")));
  assert.ok(!isDatabaseUnavailable(toError("elog_finish")));
});

test("accepts PostgreSQL 14 or newer", async () => {
  const db = open({ poolMax: 1, queueMax: 10 });
  await assertPostgresVersion(db);
  await db.destroy();
});

test("rejects queries beyond the queue and answers the others", async () => {
  const db = open({ poolMax: 2, queueMax: 3 });
  const queries = Array.from({ length: 8 }, () => sql`SELECT pg_sleep(0.05)`.execute(db));
  const results = await Promise.allSettled(queries);
  const refused = results.filter((result) => result.status === "rejected");
  assert.equal(refused.length, 3);
  for (const { reason } of refused) assert.ok(reason instanceof DatabaseBusyError);
  await db.destroy();
});

test("times out a query, but not one of a migration", async () => {
  const dbs = [100, 0].map((timeoutMs) => open({ poolMax: 1, queueMax: 1, timeoutMs }));
  const queries = dbs.map((db) => sql`SELECT pg_sleep(0.3)`.execute(db));
  const statuses = (await Promise.allSettled(queries)).map(({ status }) => status);
  assert.deepEqual(statuses, ["rejected", "fulfilled"]);
  const usual = open({ poolMax: 1, queueMax: 1 });
  const { rows } = await sql`SHOW statement_timeout`.execute(usual);
  assert.deepEqual(rows, [{ statement_timeout: "15s" }]);
  await Promise.all([...dbs, usual].map((db) => db.destroy()));
});

test("migrates once for concurrent starts, and not again for later ones", async () => {
  await writeFile(
    join(folder, "0001_first.sql"),
    "CREATE TABLE firsts (n int);\nINSERT INTO firsts VALUES (1);\n",
  );
  const dbs = [1, 2, 3].map(() => open({ poolMax: 1, queueMax: 10, timeoutMs: 0 }));
  logged.length = 0;
  await Promise.all(dbs.map((db) => migrateDatabase(db, log, { folder })));
  await Promise.all(dbs.map((db) => migrateDatabase(db, log, { folder })));
  assert.deepEqual(logged, [{ migrations: ["0001_first.sql"] }]);
  const [db] = dbs;
  assert.ok(db);
  assert.deepEqual((await sql`SELECT n FROM firsts`.execute(db)).rows, [{ n: 1 }]);
  await Promise.all(dbs.map((each) => each.destroy()));
});

test("a failed migration changes nothing and is reported with its line", async () => {
  const db = open({ poolMax: 2, queueMax: 10 });
  const file = join(folder, "0002_second.sql");
  await writeFile(file, "CREATE TABLE seconds (n int);\n\nCREATE TABEL thirds (n int);\n");
  const message = /^Migration 0002_second\.sql failed in line 3: syntax error at or near "TABEL"/;
  await assert.rejects(migrateDatabase(db, log, { folder }), { message });
  const { rows } = await sql`SELECT to_regclass('seconds') AS seconds`.execute(db);
  assert.deepEqual(rows, [{ seconds: null }]);
  await writeFile(file, "CREATE TABLE seconds (n int);\n");
  await migrateDatabase(db, log, { folder });
  await db.destroy();
});

test("rejects a database of a newer version", async () => {
  const db = open({ poolMax: 2, queueMax: 10 });
  await rm(join(folder, "0002_second.sql"));
  const message = /migrated by a newer version of Avow \(0002_second\.sql\)/;
  await assert.rejects(migrateDatabase(db, log, { folder }), { message });
  await db.destroy();
});
