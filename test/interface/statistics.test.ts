import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { runConsentHousekeeping } from "../../packages/server/modules/consents/housekeeping/jobs.ts";
import { service } from "../harness.ts";
import { importFile, toCsv } from "./imports.ts";
import { newSite } from "./site.ts";

/** Number of a table's columns that PostgreSQL has statistics for. */
async function countStatistics(table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM pg_stats WHERE tablename = ${table}`.execute(
    service.data,
  );
  return rows[0]?.count ?? 0;
}

/** Creates a month that nothing else writes to, with autovacuum off. */
async function importQuietly(month: string): Promise<string> {
  const site = await newSite();
  const table = `consents_${month.replace("-", "_")}`;
  const at = (n: number) => `${month}-03T04:05:06.${String(n % 1_000).padStart(3, "0")}Z`;
  await importFile(site, toCsv(site, [{ token: "first", date: at(0) }]));
  await sql`ALTER TABLE ${sql.table(table)} SET (autovacuum_enabled = off)`.execute(service.data);
  const lines = Array.from({ length: 1_000 }, (_, n) => ({ token: `t${n}`, date: at(n) }));
  assert.equal((await importFile(site, toCsv(site, lines))).imported, 1_000);
  return table;
}

test("an import leaves statistics of its month for query plans", async () => {
  assert.notEqual(await countStatistics(await importQuietly("2019-05")), 0);
});

test("a month without statistics after a crash is analyzed periodically, and at startup", async () => {
  const site = await newSite();
  await importFile(site, toCsv(site, [{ token: "only", date: "2019-07-03T04:05:06.000Z" }]));
  // As a crash leaves it: rows, and no counts of changes.
  await sql`ALTER TABLE consents_2019_07 SET (autovacuum_enabled = off)`.execute(service.data);
  await sql`
    INSERT INTO consents_2019_07 (project_id, id, token, collection, identifier, accept, user_agent, created_at)
    SELECT project_id, overlay(id::text PLACING lpad(n::text, 12, '0') FROM 25)::uuid, 'more ' || n,
      collection, identifier, accept, user_agent, created_at
    FROM consents_2019_07, generate_series(1, 2000) n`.execute(service.data);
  assert.equal(await countStatistics("consents_2019_07"), 0);
  const { buckets, clock, app } = service;
  await runConsentHousekeeping({ buckets, now: clock.now, log: app.http.log });
  assert.notEqual(await countStatistics("consents_2019_07"), 0);
});
