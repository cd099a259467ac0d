import { sql } from "kysely";
import type { DataDb, DataTx } from "../db.ts";
import { bucketTables } from "../planes.ts";
import { StartError } from "../../start-error.ts";
import { inTransaction } from "../transaction.ts";
import { NODE_ENDED_MS, countNodes, lockNodes } from "./nodes-store.ts";

/** A project whose data moves between two buckets, by their schemas. */
interface Move {
  projectId: string;
  from: string;
  to: string;
}

/** Tables without a project: answers to repeated requests, and pauses of archiving. They are copied as a whole. */
const copiedTables = ["archive_pauses", "idempotency_keys"] as const;

/** Tables of what a bucket itself is doing, which stay. */
const ownTables: ReadonlySet<string> = new Set([
  "answer_counts_head",
  "archive_garbage",
  "event_outbox",
  "log_placing",
  "log_placing_fence",
]);

/**
 * Moves all rows of a project to another bucket, in one transaction: copies them, compares their number and a hash of
 * them, deletes them where they were, and changes the directory. No node can start during it. Returns the number of rows.
 * @throws StartError while a node runs
 * @throws Error if the copy differs; nothing was changed then
 */
export async function moveProject(
  home: DataDb,
  move: Move,
  onTable: (table: string, rows: number) => void,
): Promise<number> {
  return inTransaction(home, async (tx) => {
    await lockNodes(tx);
    await assertNoNodes(tx);
    let count = 0;
    for (const table of await listProjectTables(tx)) {
      const rows = await moveRows(tx, table, move);
      count += rows;
      onTable(table, rows);
    }
    await sql`
      INSERT INTO project_buckets (project_id, bucket) VALUES (${move.projectId}, ${move.to})
      ON CONFLICT (project_id) DO UPDATE SET bucket = excluded.bucket`.execute(tx);
    return count;
  });
}

/** @throws StartError while a node runs, which may use the old place of a project */
export async function assertNoNodes(home: DataDb | DataTx): Promise<void> {
  const count = await countNodes(home);
  if (count === 0) return;
  const seconds = NODE_ENDED_MS / 1_000;
  throw new StartError(
    `${count} processes of the service run, or have crashed in the last ${seconds} seconds. Stop all nodes: they would continue to write to the old place.`,
  );
}

/** The tables whose rows name their project. */
async function listProjectTables(tx: DataTx): Promise<string[]> {
  const { rows } = await sql<{ name: string; hasProject: boolean }>`
    SELECT c.relname AS name, EXISTS (
      SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'project_id'
    ) AS "hasProject"
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
      AND c.relname = ANY (${sql.val([...bucketTables])}::text[])
    ORDER BY c.relname`.execute(tx);
  const without = rows.filter(({ hasProject }) => !hasProject).map(({ name }) => name);
  const unknown = without.find(
    (name) => !ownTables.has(name) && !copiedTables.some((one) => one === name),
  );
  if (unknown !== undefined) throw new Error(`It is not known how ${unknown} moves.`);
  return rows.filter(({ hasProject }) => hasProject).map(({ name }) => name);
}

async function moveRows(tx: DataTx, table: string, { projectId, from, to }: Move): Promise<number> {
  const [source, target] = [sql.table(`${from}.${table}`), sql.table(`${to}.${table}`)];
  const before = await sumRows(tx, source, projectId);
  if (before.count === 0) return 0;
  await sql`
    INSERT INTO ${target} SELECT * FROM ${source} WHERE project_id = ${projectId}`.execute(tx);
  const after = await sumRows(tx, target, projectId);
  if (after.count !== before.count || after.hash !== before.hash)
    throw new Error(`The copy of ${table} differs: ${after.count} rows of ${before.count}.`);
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM ${source} WHERE project_id = ${projectId}`.execute(tx);
  if (Number(numAffectedRows) !== before.count)
    throw new Error(`${numAffectedRows} rows of ${table} were deleted, ${before.count} copied.`);
  return before.count;
}

/** The number of rows, and a sum of their hashes that does not depend on their order. */
async function sumRows(
  tx: DataTx,
  table: ReturnType<typeof sql.table>,
  projectId: string,
): Promise<{ count: number; hash: string }> {
  const { rows } = await sql<{ count: number; hash: string }>`
    SELECT count(*) AS count, coalesce(sum(hashtextextended(t::text, 0)), 0)::text AS hash
    FROM ${table} t WHERE project_id = ${projectId}`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error("A count returned no row.");
  return row;
}

/** Copies what belongs to no project, before projects move from one bucket to another. Idempotent. */
export async function copyShared(
  home: DataDb,
  { from, to }: Omit<Move, "projectId">,
): Promise<void> {
  for (const table of copiedTables) {
    const [source, target] = [sql.table(`${from}.${table}`), sql.table(`${to}.${table}`)];
    await sql`INSERT INTO ${target} SELECT * FROM ${source} ON CONFLICT DO NOTHING`.execute(home);
  }
}

const MOVING_INDEX = "moving";

/**
 * Indexes by project the tables of a bucket that no key leads by it, such as the salts: else each project that moves reads
 * them as a whole, several times. Idempotent.
 */
export async function createMovingIndexes(home: DataDb, bucket: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'project_id'
    WHERE c.relnamespace = ${bucket}::regnamespace AND c.relkind IN ('r', 'p')
      AND c.relname = ANY (${sql.val([...bucketTables])}::text[])
      AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indkey[0] = a.attnum AND i.indpred IS NULL)
    ORDER BY c.relname`.execute(home);
  for (const { name } of rows)
    await sql`
      CREATE INDEX IF NOT EXISTS ${sql.id(`${name}_${MOVING_INDEX}`)}
      ON ${sql.table(`${bucket}.${name}`)} (project_id)`.execute(home);
}

/** Drops the indexes of `createMovingIndexes`. */
export async function dropMovingIndexes(home: DataDb, bucket: string): Promise<void> {
  for (const name of bucketTables)
    await sql`DROP INDEX IF EXISTS ${sql.table(`${bucket}.${name}_${MOVING_INDEX}`)}`.execute(home);
}

/** The projects with data in a bucket, in order. */
export async function listProjectsOf(home: DataDb, bucket: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT project_id AS id FROM project_buckets WHERE bucket = ${bucket}
    UNION SELECT project_id FROM ${sql.table(`${bucket}.collecting_projects`)}
    ORDER BY id`.execute(home);
  return rows.map(({ id }) => id);
}

/** The number of connections of the service to the database, besides this one. */
export async function countServiceConnections(home: DataDb): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'avow%' AND pid <> pg_backend_pid()`.execute(
    home,
  );
  return rows[0]?.count ?? 0;
}
