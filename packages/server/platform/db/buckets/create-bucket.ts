import { sql } from "kysely";
import type { DataDb, DataTx } from "../db.ts";
import { createBucketTables } from "./bucket-tables.ts";
import { copyFunctions } from "./bucket-functions.ts";
import { distributeBucket, isCoordinator } from "./citus.ts";

/** The schema of a bucket: `avow_b` and its number. */
export type BucketName = `avow_b${number}`;

const NAME_PATTERN = "^avow_b[0-9]+$";
/** Lock that serializes creating buckets and migrating them. */
const LOCK_NAME = "avow buckets";

/**
 * Creates a bucket as a schema with empty tables; on the coordinator of a Citus cluster, also moves it to a worker. `db`
 * has no timeout and sees the migrated tables of the template. Idempotent: a run after a crash completes the bucket.
 */
export async function createBucket(db: DataDb, bucket: BucketName): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockBuckets(tx);
    if ((await listBuckets(tx)).includes(bucket)) return;
    await sql`CREATE SCHEMA ${sql.id(bucket)}`.execute(tx);
    await createBucketTables(tx, bucket);
    await copyFunctions(tx, bucket);
  });
  if (await isCoordinator(db)) await distributeBucket(db, bucket);
}

/** The buckets that exist in the database, by their schemas. */
export async function listBuckets(db: DataDb | DataTx): Promise<BucketName[]> {
  const { rows } = await sql<{ name: BucketName }>`
    SELECT nspname AS name FROM pg_namespace WHERE nspname ~ ${NAME_PATTERN}
    ORDER BY length(nspname), nspname`.execute(db);
  return rows.map(({ name }) => name);
}

/** Keeps other processes from creating or migrating buckets until the transaction ends. */
export async function lockBuckets(tx: DataTx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${LOCK_NAME}, 0))`.execute(tx);
}
