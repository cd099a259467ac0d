import { sql } from "kysely";
import { readTableFacts } from "../../platform/db/buckets/table-facts.ts";
import type { DataDb } from "../../platform/db/db.ts";
import { listPartitions } from "./records/months-store.ts";

/** Smaller tables get the same query plan with or without statistics. */
const SIZE_MIN_BYTES = 64 * 1024;
const tables = ["consent_keys", "consent_salts", "consent_states", "past_states", "choices"];

/**
 * Analyzes tables with missing or outdated planner statistics: without them a plan may read a whole
 * project to find one record. Autovacuum relies on change counts, which a crash loses.
 */
export async function analyzeTables(db: DataDb): Promise<void> {
  const facts = await readTableFacts(db, [...(await listPartitions(db)), ...tables]);
  for (const { name, sizeBytes, isOutdated } of facts)
    if (isOutdated && sizeBytes > SIZE_MIN_BYTES) await sql`ANALYZE ${sql.table(name)}`.execute(db);
}
