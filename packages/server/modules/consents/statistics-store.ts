import { sql } from "kysely";
import type { DataDb } from "../../platform/db/db.ts";

/** Smaller tables get the same query plan with or without statistics. */
const SIZE_MIN = 64 * 1024;
const tables = ["consent_keys", "consent_salts", "consent_states", "past_states", "choices"];

/**
 * Analyzes tables with missing or outdated planner statistics: without them a plan may read a whole
 * project to find one record. Autovacuum relies on change counts, which a crash loses.
 */
export async function analyzeTables(db: DataDb): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name
    FROM pg_class c LEFT JOIN pg_stat_all_tables t ON t.relid = c.oid
    WHERE (c.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'consents'::regclass)
        OR c.oid = ANY (${sql.val(tables)}::text[]::regclass[]))
      AND pg_relation_size(c.oid) > ${SIZE_MIN}
      AND (NOT EXISTS (SELECT FROM pg_stats s
          WHERE s.schemaname = c.relnamespace::regnamespace::text AND s.tablename = c.relname)
        OR pg_relation_size(c.oid) / current_setting('block_size')::integer > 2 * c.relpages
        OR t.n_mod_since_analyze > 10000 + c.reltuples / 5)`.execute(db);
  for (const { name } of rows) await sql`ANALYZE ${sql.table(name)}`.execute(db);
}
