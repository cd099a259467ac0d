import assert from "node:assert/strict";
import { after, it } from "node:test";
import { type CompiledQuery, Kysely, PostgresDialect, sql } from "kysely";
import { Pool } from "pg";
import { deleteCountsBefore } from "../../packages/server/modules/consents/stats/recount-store.ts";
import type { Tables } from "../../packages/server/platform/db/tables.ts";
import { toTablesUrl } from "../database.ts";
import { service } from "../harness.ts";

const HOURS = 20_000;
const tables = [
  "answer_counts",
  "display_counts",
  "answer_days",
  "answer_groups",
  "display_days",
] as const;

it("deletes old counts of all projects without reading those that are kept", async () => {
  const pool = new Pool({ connectionString: toTablesUrl(service.dataUrl), max: 1 });
  const queries: CompiledQuery[] = [];
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void queries.push(query),
  });
  after(() => db.destroy());
  const { id } = await service.newProject((await service.newUser()).token);
  const hours = sql`FROM generate_series(1, ${HOURS}) AS s(n)
    CROSS JOIN LATERAL (SELECT timestamptz '1980-01-01 00:00Z' + n * interval '1 hour' AS hour) h`;
  await sql`INSERT INTO answer_counts SELECT ${id}, hour, 'a', 1, 0, 0, array_fill(0, ARRAY[3, 4]) ${hours}`.execute(
    db,
  );
  await sql`INSERT INTO display_counts SELECT ${id}, hour, 'a', '', 'mobile', 1, 1, 0, 0, array_fill(0, ARRAY[4, 4]) ${hours}`.execute(
    db,
  );
  // Twenty thousand days, since the test is about how rows are found.
  const days = sql`FROM generate_series(1, ${HOURS}) AS s(n)
    CROSS JOIN LATERAL (SELECT timestamptz '1980-01-01 00:00Z' + (n / 24) * interval '1 day' AS day) d`;
  await sql`INSERT INTO answer_days SELECT ${id}, day, 'a' || n, 1, 0, 0 ${days}`.execute(db);
  await sql`INSERT INTO display_days SELECT ${id}, day, 'a' || n, '', 'mobile', 1, 1, 0, 0 ${days}`.execute(
    db,
  );
  await sql`INSERT INTO answer_groups SELECT ${id}, day, 'page', '/' || n, 1, 0, 0 ${days}`.execute(
    db,
  );
  for (const table of tables) await sql`ANALYZE ${sql.table(table)}`.execute(db);
  queries.length = 0;
  // Deletes whole days only: a time inside a day keeps that day.
  await deleteCountsBefore(db, new Date(Date.UTC(1980, 0, 2, 17)));
  const asked = [...queries];
  assert.equal(asked.length, tables.length);
  for (const { sql: text, parameters } of asked) {
    const { rows } = await pool.query(`EXPLAIN ${text}`, [...parameters]);
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    assert.match(plan, /(_counts_hour|_days_day|_groups_day)/, plan);
  }
  for (const table of tables) {
    const found = await db
      .selectFrom(table)
      .select((all) => all.fn.countAll<string>().as("count"))
      .where("project_id", "=", id)
      .executeTakeFirstOrThrow();
    assert.equal(Number(found.count), HOURS - 23);
    await db.deleteFrom(table).where("project_id", "=", id).execute();
  }
});
