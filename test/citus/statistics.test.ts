import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import { analyzeTables } from "../../packages/server/modules/consents/statistics-store.ts";
import { readTableFacts } from "../../packages/server/platform/db/buckets/table-facts.ts";
import type { DataDb } from "../../packages/server/platform/db/db.ts";
import { openDataDatabase } from "../../packages/server/platform/db/open.ts";
import { type TestDatabase, openTestDatabase, toTablesUrl } from "../database.ts";

const log = { warn: () => undefined };
let database: TestDatabase;
let db: DataDb;

before(async () => {
  database = await openTestDatabase();
  db = openDataDatabase({ url: toTablesUrl(database.dataUrl), poolMax: 2, queueMax: 10, log });
});
after(async () => {
  await db.destroy();
  await database[Symbol.asyncDispose]();
});

test("reads sizes from the worker, and analyzes the tables there", async () => {
  await sql`ALTER TABLE past_states SET (autovacuum_enabled = off)`.execute(db);
  await sql`
    INSERT INTO past_states (project_id, token, identifier, collection, since, consent_id, until_id)
    SELECT 'p', 't', n::text, 'cookies', now(), gen_random_uuid(), gen_random_uuid()
    FROM generate_series(1, 2000) n`.execute(db);
  const [filled] = await readTableFacts(db, ["past_states"]);
  assert.ok((filled?.sizeBytes ?? 0) > 100_000 && filled?.isOutdated, JSON.stringify(filled));
  await analyzeTables(db);
  const [analyzed] = await readTableFacts(db, ["past_states"]);
  assert.equal(analyzed?.rows, 2_000);
  assert.equal(analyzed.isOutdated, false);
});
