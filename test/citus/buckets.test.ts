import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import { createBucket } from "../../packages/server/platform/db/buckets/create-bucket.ts";
import type { DataDb } from "../../packages/server/platform/db/db.ts";
import {
  listMigrations,
  migrateDatabase,
} from "../../packages/server/platform/db/migrations/migrate.ts";
import { openDataDatabase } from "../../packages/server/platform/db/open.ts";
import { bucketTables, globalTables } from "../../packages/server/platform/db/planes.ts";
import { type TestDatabase, openTestDatabase } from "../database.ts";

const log = { info: () => undefined, warn: () => undefined };
let database: TestDatabase;
let db: DataDb;

before(async () => {
  database = await openTestDatabase();
  db = openDataDatabase({ url: database.dataUrl, poolMax: 2, queueMax: 10, log, timeoutMs: 0 });
});
after(async () => {
  await db.destroy();
  await database[Symbol.asyncDispose]();
});

/** The kinds of distributed tables in a schema, by name. */
async function listKinds(schema: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; kind: string }>`
    SELECT c.relname AS name, t.citus_table_type AS kind FROM citus_tables t
    JOIN pg_class c ON c.oid = t.table_name WHERE c.relnamespace = ${schema}::regnamespace`.execute(
    db,
  );
  return new Map(rows.map(({ name, kind }) => [name, kind]));
}

test("all tables of a bucket lie on one worker, and global ones on the coordinator", async () => {
  const kinds = await listKinds("avow_b1");
  for (const name of bucketTables) assert.equal(kinds.get(name), "schema", name);
  const { rows } = await sql<{ nodes: number }>`
    SELECT count(DISTINCT (nodename, nodeport))::integer AS nodes FROM citus_shards
    WHERE table_name::text LIKE 'avow_b1.%'`.execute(db);
  assert.deepEqual(rows, [{ nodes: 1 }]);
  const shared = await listKinds("public");
  assert.deepEqual([...shared.keys()].toSorted(), [...globalTables].toSorted());
  assert.deepEqual(new Set(shared.values()), new Set(["local"]));
});

test("a bucket that was created but not distributed is completed", async () => {
  await createBucket(db, "avow_b2");
  const kinds = await listKinds("avow_b2");
  assert.equal(kinds.get("consents"), "schema");
  await sql`SELECT citus_schema_undistribute('avow_b2')`.execute(db);
  assert.equal((await listKinds("avow_b2")).size, 0);
  await createBucket(db, "avow_b2");
  assert.deepEqual(await listKinds("avow_b2"), kinds);
});

test("buckets are spread over the workers", async () => {
  await createBucket(db, "avow_b3");
  const { rows } = await sql<{ nodes: number }>`
    SELECT count(DISTINCT (nodename, nodeport))::integer AS nodes FROM citus_shards
    WHERE citus_table_type = 'schema'`.execute(db);
  assert.ok((rows[0]?.nodes ?? 0) > 1);
});

test("a migration of buckets reaches the tables and functions on the workers", async () => {
  const folder = await mkdtemp(join(tmpdir(), "avow-migrations-"));
  try {
    for (const name of await listMigrations()) await writeFile(join(folder, name), "SELECT 1");
    await writeFile(
      join(folder, "9999_notes.bucket.sql"),
      `ALTER TABLE choices ADD COLUMN note text;
      CREATE TABLE notes (project_id text PRIMARY KEY);
      CREATE INDEX notes_project ON notes (project_id);
      CREATE OR REPLACE FUNCTION find_collecting_since() RETURNS timestamptz LANGUAGE plpgsql AS $$
      BEGIN RETURN timestamptz '2001-02-03T04:05:06Z'; END $$;`,
    );
    await migrateDatabase(db, log, { folder });
    for (const bucket of ["avow_b1", "avow_b2"]) {
      assert.equal((await listKinds(bucket)).get("notes"), "schema", bucket);
      await sql`SELECT note FROM ${sql.table(`${bucket}.choices`)}`.execute(db);
      const { rows } = await sql<{ since: Date }>`
        SELECT ${sql.table(`${bucket}.find_collecting_since`)}() AS since
        FROM ${sql.table(`${bucket}.answer_counts_head`)}`.execute(db);
      assert.deepEqual(rows, [{ since: new Date("2001-02-03T04:05:06Z") }]);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
