import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import { type TestDatabase, openTestDatabase } from "../../../../../test/database.ts";
import type { DataDb } from "../db.ts";
import { listMigrations, migrateDatabase } from "./migrate.ts";
import { openDataDatabase } from "../open.ts";
import { bucketTables } from "../planes.ts";
import { createBucket, listBuckets } from "../buckets/create-bucket.ts";

const log = { info: () => undefined, warn: () => undefined };
let database: TestDatabase;
let db: DataDb;

before(async () => {
  database = await openTestDatabase();
  db = openDataDatabase({ url: database.dataUrl, poolMax: 2, queueMax: 10, log });
});
after(async () => {
  await db.destroy();
  await database[Symbol.asyncDispose]();
});

/** The columns, indexes, tables and constraints of a schema, as comparable lines. */
async function describeSchema(schema: string): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    SELECT format('%s.%s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
      pg_get_expr(d.adbin, d.adrelid)) AS line
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relnamespace = ${schema}::regnamespace AND c.relname = ANY (${sql.val([...bucketTables])}::text[])
    UNION ALL
    SELECT replace(format('%s %s %s', pg_get_indexdef(c.oid), c.reloptions, c.relkind), ${`${schema}.`}, '')
    FROM pg_class c WHERE c.relnamespace = ${schema}::regnamespace AND c.relkind IN ('i', 'I')
      AND (SELECT t.relname FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid WHERE i.indexrelid = c.oid)
        = ANY (${sql.val([...bucketTables])}::text[])
    UNION ALL
    SELECT format('%s %s %s %s', c.relname, c.reloptions, c.relkind, pg_get_expr(c.relpartbound, c.oid))
    FROM pg_class c WHERE c.relnamespace = ${schema}::regnamespace AND c.relkind IN ('r', 'p')
      AND (c.relname = ANY (${sql.val([...bucketTables])}::text[]) OR c.relispartition)
    UNION ALL
    SELECT format('%s %s', conname, pg_get_constraintdef(oid)) FROM pg_constraint
    WHERE connamespace = ${schema}::regnamespace AND conrelid::regclass::text LIKE '%consent%'
    ORDER BY 1`.execute(db);
  return rows.map(({ line }) => line);
}

test("a bucket has the tables, keys, indexes and partitions of the template", async () => {
  await createBucket(db, "avow_b7");
  const [own, template] = [await describeSchema("avow_b7"), await describeSchema("public")];
  assert.ok(own.length > 200, String(own.length));
  assert.deepEqual(own, template);
});

test("creating a bucket again changes nothing", async () => {
  const first = await describeSchema("avow_b7");
  await createBucket(db, "avow_b7");
  assert.deepEqual(await describeSchema("avow_b7"), first);
});

test("concurrent services create a bucket once", async () => {
  await Promise.all([createBucket(db, "avow_b8"), createBucket(db, "avow_b8")]);
  assert.deepEqual(await listBuckets(db), ["avow_b7", "avow_b8"]);
});

test("a bucket's functions use its own tables", async () => {
  await sql`INSERT INTO avow_b7.collecting_projects VALUES ('in-7', 1, true, 1)`.execute(db);
  const write = (project: string) =>
    sql`SELECT avow_b7.write_consents(json_build_object('firstIdAt', 4102444800000, 'marginMs', 1, 'hasTickets', false,
      'choices', '[]'::json, 'versions', json_build_array(json_build_object('projectId', ${project}::text, 'version', 1))),
      '{}', null, null, null)`.execute(db);
  await write("in-7");
  await assert.rejects(write("in-8"), { code: "40001" });
});

test("a migration of buckets runs in the template and once in each bucket", async () => {
  const folder = await mkdtemp(join(tmpdir(), "avow-migrations-"));
  try {
    const names = await listMigrations();
    for (const name of names) await writeFile(join(folder, name), "SELECT 1");
    await writeFile(
      join(folder, "9998_notes.bucket.sql"),
      `-- Not yet; as a test.
      ALTER TABLE choices ADD COLUMN note text DEFAULT 'a;b''c';
      DO $$ BEGIN PERFORM 1; END $$;
      CREATE TABLE notes (project_id text PRIMARY KEY, place text);
      INSERT INTO notes VALUES ('p', current_schema());`,
    );
    await writeFile(
      join(folder, "9999_last.sql"),
      "CREATE TABLE after_notes AS SELECT current_schema() AS place",
    );
    assert.deepEqual(await migrateDatabase(db, log, { folder }), [
      "9998_notes.bucket.sql",
      "9999_last.sql",
    ]);
    const { rows } = await sql<{ place: string }>`
      SELECT place FROM public.notes UNION ALL SELECT place FROM avow_b7.notes UNION ALL SELECT place FROM avow_b8.notes
      UNION ALL SELECT place FROM public.after_notes`.execute(db);
    assert.deepEqual(
      rows.map(({ place }) => place),
      ["public", "avow_b7", "avow_b8", "public"],
    );
    await sql`SELECT note FROM avow_b7.choices`.execute(db);
    assert.deepEqual(await migrateDatabase(db, log, { folder }), []);
  } finally {
    await rm(folder, { recursive: true });
  }
});
