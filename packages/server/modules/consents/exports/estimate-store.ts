import { sql } from "kysely";
import type { DataDb } from "../../../platform/db/db.ts";
import { readTableFacts } from "../../../platform/db/buckets/table-facts.ts";
import { listPartitions } from "../records/months-store.ts";
import { countMoved } from "../archive/archived.ts";
import { type Stretch, ofStretch } from "./store.ts";

/** PostgreSQL's `block_size`, unless it was built with another. */
const PAGE_BYTES = 8 * 1024;
/** Pages of the table to sample, which takes some milliseconds for any table size. */
const PAGES = 1_000;

/**
 * Estimates the number of records of a stretch by a sample of the table's pages; exact for small tables. Undefined if
 * the sample contains none of them.
 */
export async function estimateRecords(
  db: DataDb,
  stretch: Stretch,
  pagesMax = PAGES,
): Promise<number | undefined> {
  const facts = await readTableFacts(db, await listPartitions(db));
  const pages = facts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) / PAGE_BYTES;
  const exact = Math.min(100, (100 * pagesMax) / Math.max(1, pages));
  // A literal, since a distributed table takes no parameter here; rounded, so that few statements are prepared.
  const percent = Number(exact.toPrecision(2));
  const { rows } = await sql<{ found: number }>`
    SELECT count(*)::float8 AS found FROM consents TABLESAMPLE SYSTEM (${sql.lit(percent)})
    WHERE ${ofStretch(stretch)}
  `.execute(db);
  const found = rows[0]?.found ?? 0;
  const archived = await countArchivedRoughly(db, stretch);
  if (archived === undefined || found + archived === 0) return undefined;
  return Math.round((found * 100) / percent) + archived;
}

/** Without reading files; undefined if a condition would need that. */
async function countArchivedRoughly(db: DataDb, stretch: Stretch): Promise<number | undefined> {
  const { projectId, from, to, token, collection, identifier, accept } = stretch;
  const { count } = await countMoved(db, { projectId, low: from, high: to });
  const conditions = [token, collection, identifier, accept];
  return count > 0 && conditions.some((one) => one !== undefined) ? undefined : count;
}
