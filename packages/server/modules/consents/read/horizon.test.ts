import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import { Client } from "pg";
import { type TestDatabase, openTestDatabase } from "../../../../../test/database.ts";
import type { DataDb } from "../../../platform/db/db.ts";
import { COLLECTING_NAME, openDataDatabase } from "../../../platform/db/open.ts";
import { firstIdAt } from "../../../kernel/ids.ts";
import { awaitHorizon, findHorizon } from "./horizon.ts";

let database: TestDatabase;
let db: DataDb;
const log = { warn: () => undefined };

before(async () => {
  database = await openTestDatabase();
  db = openDataDatabase({ url: database.url, poolMax: 2, queueMax: 10, log });
});
after(async () => {
  await db.destroy();
  await database[Symbol.asyncDispose]();
});

/** The milliseconds in a UUID version 7. */
const msOf = (id: string): number => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);

test("returns an id two seconds ago when nothing is being collected", async () => {
  const from = Date.now();
  const horizon = await findHorizon(db);
  assert.match(horizon, /^[0-9a-f]{8}-[0-9a-f]{4}-7000-8000-000000000000$/);
  const ms = msOf(horizon);
  assert.ok(ms >= from - 2_001 && ms <= Date.now() - 1_999, `${from} ${ms} ${Date.now()}`);
});

/** A connection without the name that versions before the lock are found by, as of PgBouncer. */
const openClient = () => new Client({ connectionString: database.url, application_name: "pool" });
const LOCK = "SELECT begin_collecting(clock_timestamp(), interval '2 seconds')";

test("stays two seconds before the start of a collecting transaction", async () => {
  const client = openClient();
  await client.connect();
  try {
    await client.query(`BEGIN; ${LOCK}`);
    const began = await client.query<{ at: Date }>("SELECT now() AS at");
    const ms = Math.ceil((began.rows[0]?.at.getTime() ?? 0) - 2_000);
    await client.query("SELECT pg_sleep(0.05)");
    assert.equal(msOf(await findHorizon(db)), ms);
    await client.query("COMMIT");
    assert.ok(msOf(await findHorizon(db)) >= ms + 50);
  } finally {
    await client.end();
  }
});

const { signal } = new AbortController();

test("waits two seconds for an instant when nothing is being collected", async () => {
  const from = Date.now();
  const id = firstIdAt(new Date(from - 1_800));
  assert.equal(await awaitHorizon(db, id, { signal }), id);
  const tookMs = Date.now() - from;
  assert.ok(tookMs >= 190 && tookMs < 1_500, String(tookMs));
});

test("waits for a collecting transaction, and returns the horizon after the time-out", async () => {
  const client = openClient();
  await client.connect();
  try {
    await client.query(`BEGIN; ${LOCK}`);
    const horizon = await findHorizon(db);
    const id = firstIdAt(new Date(msOf(horizon) + 1));
    assert.equal(await awaitHorizon(db, id, { signal, waitMs: 50 }), horizon);
    const waiting = awaitHorizon(db, id, { signal });
    await client.query("COMMIT");
    assert.equal(await waiting, id);
  } finally {
    await client.end();
  }
});

test("stops waiting when the signal is aborted", async () => {
  const gone = new AbortController();
  const waiting = awaitHorizon(db, firstIdAt(new Date(Date.now() + 60_000)), {
    signal: gone.signal,
  });
  gone.abort();
  await assert.rejects(waiting, { name: "AbortError" });
});

test("sees a transaction of a version before the lock by its connection's name", async () => {
  const client = new Client({
    connectionString: database.url,
    application_name: COLLECTING_NAME,
  });
  await client.connect();
  try {
    await client.query("BEGIN");
    const horizon = await findHorizon(db);
    assert.equal(await findHorizon(db), horizon);
  } finally {
    await client.end();
  }
});

test("a transaction cannot collect with ids older than the margin", async () => {
  const { rows } = await sql<{ done: boolean }>`
    SELECT begin_collecting(clock_timestamp() - interval '1 second', interval '2 seconds') AS done`.execute(
    db,
  );
  assert.deepEqual(rows, [{ done: true }]);
  const late = sql`SELECT begin_collecting(clock_timestamp() - interval '3 seconds', interval '2 seconds')`;
  await assert.rejects(late.execute(db), { code: "40001" });
});

test("a transaction collects with the synchronous_commit of its connection, but never without a flush", async () => {
  const used: (string | undefined)[] = [];
  for (const mode of ["remote_apply", "remote_write", "on", "local", "off"])
    await db.transaction().execute(async (tx) => {
      await sql`SELECT set_config('synchronous_commit', ${mode}, true)`.execute(tx);
      await sql.raw(LOCK).execute(tx);
      const { rows } = await sql<{ mode: string }>`
        SELECT current_setting('synchronous_commit') AS mode`.execute(tx);
      used.push(rows[0]?.mode);
    });
  assert.deepEqual(used, ["remote_apply", "remote_write", "on", "on", "on"]);
});
