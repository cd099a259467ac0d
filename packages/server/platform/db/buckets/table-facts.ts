import { sql } from "kysely";
import type { DataDb } from "../db.ts";
import { isCoordinator } from "./citus.ts";

/** Facts about a table that the server with its rows knows. */
export interface TableFacts {
  name: string;
  sizeBytes: number;
  /** By the statistics of its last vacuum. */
  rows: number;
  /** Whether the planner's statistics are missing or outdated. */
  isOutdated: boolean;
}

/** The facts of the table whose `regclass` follows. */
const select = `
  SELECT json_build_object('sizeBytes', pg_relation_size(c.oid), 'rows', greatest(c.reltuples, 0), 'isOutdated',
    NOT EXISTS (SELECT FROM pg_stats s
      WHERE s.schemaname = c.relnamespace::regnamespace::text AND s.tablename = c.relname)
    OR pg_relation_size(c.oid) / current_setting('block_size')::integer > 2 * c.relpages
    OR coalesce(t.n_mod_since_analyze > 10000 + c.reltuples / 5, false))
  FROM pg_class c LEFT JOIN pg_stat_all_tables t ON t.relid = c.oid
  WHERE c.oid =`;

/** Reads the facts of tables of a bucket, on Citus from its worker. */
export async function readTableFacts(db: DataDb, names: readonly string[]): Promise<TableFacts[]> {
  const facts = (await isCoordinator(db))
    ? sql`SELECT n.name, r.result::json AS facts FROM unnest(${sql.val([...names])}::text[]) AS n(name)
        CROSS JOIN LATERAL run_command_on_shards(n.name::regclass, ${`${select} '%s'::regclass`}) AS r`
    : sql`SELECT n.name, (${sql.raw(select)} n.name::regclass) AS facts
        FROM unnest(${sql.val([...names])}::text[]) AS n(name)`;
  const { rows } = await sql<{ name: string; facts: Omit<TableFacts, "name"> }>`${facts}`.execute(
    db,
  );
  return rows.map(({ name, facts: own }) => ({ name, ...own }));
}
