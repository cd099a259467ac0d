import { sql } from "kysely";
import { createBucket } from "../packages/server/platform/db/buckets/create-bucket.ts";
import {
  HOME,
  insertBucket,
  listBucketRows,
  openOtherBuckets,
} from "../packages/server/platform/db/buckets/directory-store.ts";
import type { DataDb } from "../packages/server/platform/db/db.ts";
import { bucketTables } from "../packages/server/platform/db/planes.ts";

/** The schema with a view of each table of buckets, which has the rows of all of them. */
export const ALL_BUCKETS = "all_buckets";

/** Creates `count` buckets that take all projects, and views of what they hold for tests that read rows. */
export async function createTestBuckets(db: DataDb, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    await createBucket(db, `avow_b${number}`);
    await insertBucket(db, `avow_b${number}`);
  }
  await openOtherBuckets(db);
  const schemas = (await listBucketRows(db)).map(({ name }) => name);
  await sql`CREATE SCHEMA ${sql.id(ALL_BUCKETS)}`.execute(db);
  for (const table of bucketTables) {
    // The buckets' own state has one row each, of which tests want the first.
    const of = table === "answer_counts_head" ? [schemas.find((name) => name !== HOME)] : schemas;
    const parts = of.map((schema) => sql`SELECT * FROM ${sql.table(`${schema}.${table}`)}`);
    await sql`
      CREATE VIEW ${sql.table(`${ALL_BUCKETS}.${table}`)} AS ${sql.join(parts, sql` UNION ALL `)}`.execute(
      db,
    );
  }
}
