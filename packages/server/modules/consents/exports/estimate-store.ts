import { sql } from "kysely";
import type { DataDb } from "../../../platform/db/db.ts";
import { countMoved } from "../archive/archived.ts";
import { type Stretch, ofStretch } from "./store.ts";

/** Pages of the table to sample, 8 KiB each, which takes some milliseconds for any table size. */
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
  const { rows: sizes } = await sql<{ pages: number }>`
    SELECT coalesce(sum(pg_relation_size(inhrelid)), 0)::float8
      / current_setting('block_size')::float8 AS pages
    FROM pg_inherits WHERE inhparent = 'consents'::regclass
  `.execute(db);
  const exact = Math.min(100, (100 * pagesMax) / Math.max(1, sizes[0]?.pages ?? 1));
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
