import { sql } from "kysely";
import type { DataDb, DataTx } from "../db.ts";
import { globalTables } from "../planes.ts";
import { HOME } from "./directory-store.ts";

/** Whether the database is the coordinator of a Citus cluster. */
export async function isCoordinator(db: DataDb | DataTx): Promise<boolean> {
  const { rows } = await sql`SELECT FROM pg_extension WHERE extname = 'citus'`.execute(db);
  return rows.length > 0;
}

/** The number of workers of the Citus cluster; 0 without one. */
export async function countWorkers(db: DataDb): Promise<number> {
  if (!(await isCoordinator(db))) return 0;
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM pg_catalog.pg_dist_node
    WHERE isactive AND noderole = 'primary' AND groupid > 0`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Moves the tables of a bucket to one worker, which is chosen by Citus, and has the bucket's functions run there. Idempotent:
 * each step is a transaction of its own and left out once done.
 */
export async function distributeBucket(db: DataDb, bucket: string): Promise<void> {
  await manageGlobalTables(db);
  const { rows } = await sql`
    SELECT FROM pg_catalog.pg_dist_schema WHERE schemaid = ${bucket}::regnamespace`.execute(db);
  if (rows.length === 0)
    await sql`SELECT citus_schema_distribute(${bucket}::regnamespace)`.execute(db);
  await distributeFunctions(db, bucket);
}

/**
 * Creates the functions of the bucket on all workers. A statement that calls one of them beside a table of the bucket
 * (`BUCKETS_ROW`) is sent to the bucket's worker, whose function may then use the tables that lie there.
 */
export async function distributeFunctions(db: DataDb | DataTx, bucket: string): Promise<void> {
  const { rows } = await sql<{ signature: string }>`
    SELECT p.oid::regprocedure::text AS signature FROM pg_proc p
    WHERE p.pronamespace = ${bucket}::regnamespace`.execute(db);
  for (const { signature } of rows) {
    await sql`
      ALTER FUNCTION ${sql.raw(signature)} SET citus.allow_nested_distributed_execution = on`.execute(
      db,
    );
    await sql`SELECT create_distributed_function(${signature}::regprocedure)`.execute(db);
  }
}

/**
 * Makes the tables that all buckets share known to Citus. They stay on the coordinator. A transaction that writes one of
 * them and a bucket is then committed in two phases, so that a crash cannot commit one without the other.
 */
async function manageGlobalTables(db: DataDb): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.oid::regclass::text AS name FROM pg_class c
    WHERE c.relnamespace = ${HOME}::regnamespace AND c.relname = ANY (${sql.val([...globalTables])}::text[])
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_dist_partition p WHERE p.logicalrelid = c.oid)
    ORDER BY c.relname`.execute(db);
  for (const { name } of rows)
    // Cascades to tables with foreign keys between them.
    await sql`SELECT citus_add_local_table_to_metadata(${name}::regclass, true)`.execute(db);
}
