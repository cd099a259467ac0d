import { sql } from "kysely";
import type { DataTx } from "../db.ts";
import { bucketTables } from "../planes.ts";
import { HOME } from "./directory-store.ts";

interface TemplateTable {
  name: string;
  /** `RANGE (id)`; null: not partitioned. */
  partitioned: string | null;
  /** `fillfactor=70` and so on. */
  options: string[] | null;
  /** Primary keys and unique constraints: name and definition. */
  keys: { name: string; definition: string }[] | null;
  /** The statements that created the other indexes. */
  indexes: string[] | null;
  partitions: { name: string; bound: string }[] | null;
}

/** Creates the tables of a bucket in its empty schema, with the names of keys and indexes that migrations know. */
export async function createBucketTables(tx: DataTx, bucket: string): Promise<void> {
  const tables = await readTemplate(tx);
  if (tables.length !== bucketTables.size)
    throw new Error(`Only ${tables.length} of ${bucketTables.size} tables of a bucket exist.`);
  for (const table of tables) await createTable(tx, bucket, table);
  // A bucket's consents get leaves after those of the log today.
  await sql`
    INSERT INTO ${sql.table(`${bucket}.answer_counts_head`)} (id, leaf)
    SELECT 1, coalesce((SELECT size FROM ${sql.table(`${HOME}.log_heads`)}), 0)`.execute(tx);
}

async function createTable(tx: DataTx, bucket: string, table: TemplateTable): Promise<void> {
  const own = sql.table(`${bucket}.${table.name}`);
  const template = sql.table(`${HOME}.${table.name}`);
  const by = table.partitioned === null ? "" : `PARTITION BY ${table.partitioned}`;
  const options = table.options === null ? "" : `WITH (${table.options.join(", ")})`;
  await sql`
    CREATE TABLE ${own} (LIKE ${template} INCLUDING ALL EXCLUDING INDEXES)
    ${sql.raw(by)} ${sql.raw(options)}`.execute(tx);
  for (const { name, definition } of table.keys ?? [])
    await sql`ALTER TABLE ${own} ADD CONSTRAINT ${sql.id(name)} ${sql.raw(definition)}`.execute(tx);
  for (const index of table.indexes ?? []) await sql.raw(moveIndex(index, bucket)).execute(tx);
  for (const { name, bound } of table.partitions ?? [])
    await sql`
      CREATE TABLE ${sql.table(`${bucket}.${name}`)} PARTITION OF ${own} ${sql.raw(bound)}`.execute(
      tx,
    );
}

/** The statement that created an index of the template, for the bucket's table. */
function moveIndex(statement: string, bucket: string): string {
  return statement.replace(/ ON (?:ONLY )?public\./, ` ON ${bucket}.`);
}

async function readTemplate(tx: DataTx): Promise<TemplateTable[]> {
  const { rows } = await sql<TemplateTable>`
    SELECT c.relname AS name, c.reloptions AS options,
      CASE WHEN c.relkind = 'p' THEN pg_get_partkeydef(c.oid) END AS partitioned,
      (SELECT json_agg(json_build_object('name', k.conname, 'definition', pg_get_constraintdef(k.oid)) ORDER BY k.conname)
        FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype IN ('p', 'u')) AS keys,
      (SELECT json_agg(pg_get_indexdef(i.indexrelid) ORDER BY i.indexrelid)
        FROM pg_index i WHERE i.indrelid = c.oid
          AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)) AS indexes,
      (SELECT json_agg(json_build_object('name', p.relname, 'bound', pg_get_expr(p.relpartbound, p.oid)) ORDER BY p.relname)
        FROM pg_inherits h JOIN pg_class p ON p.oid = h.inhrelid WHERE h.inhparent = c.oid) AS partitions
    FROM pg_class c
    WHERE c.relnamespace = ${HOME}::regnamespace AND c.relname = ANY (${sql.val([...bucketTables])}::text[])
    ORDER BY c.relname`.execute(tx);
  return rows;
}
