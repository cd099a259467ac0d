import { sql } from "kysely";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import { firstIdAt } from "../../../kernel/ids.ts";

/** Lock that serializes creating partitions: creating the same table concurrently fails. */
const LOCK_NAME = "avow consents months";
const LOCK_TIMEOUT = "300ms";
/** Older records share one partition (see the migration), because an imported file may contain any year. */
const first = new Date("2018-01-01T00:00:00Z");

/** Creates missing partitions of `consents` for the months (UTC) from `from` to `to`, starting with 2018. */
export async function createMonthPartitions(db: DataDb, from: Date, to: Date): Promise<void> {
  const missing: { name: string; low: string; high: string }[] = [];
  const there = await listMonths(db);
  const begin = from < first ? first : from;
  for (let month = startOfMonth(begin, 0); month <= to; month = startOfMonth(month, 1)) {
    const name = `consents_${month.toISOString().slice(0, 7).replace("-", "_")}`;
    if (!there.has(name))
      missing.push({ name, low: toBound(month), high: toBound(startOfMonth(month, 1)) });
  }
  if (missing.length === 0) return;
  await db.transaction().execute(async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${LOCK_NAME}, 0))`.execute(tx);
    const made = await listMonths(tx);
    for (const { name, low, high } of missing) {
      if (made.has(name)) continue;
      // Attaching a table does not block collection, unlike creating a partition directly.
      await sql`CREATE TABLE ${sql.table(name)} (LIKE consents INCLUDING ALL)`.execute(tx);
      await sql`
        ALTER TABLE consents ATTACH PARTITION ${sql.table(name)}
        FOR VALUES FROM (${sql.lit(low)}) TO (${sql.lit(high)})
      `.execute(tx);
    }
  });
}

/** A partition of `consents` with the records of one month. */
export interface MonthPartition {
  name: string;
  /** The first day of the month. */
  month: string;
  /** Bounds of the ids: inclusive, and exclusive. */
  low: string;
  high: string;
}

/** The partitions of months, oldest first. The records before 2018 are in none of them. */
export async function listMonthPartitions(db: DataDb): Promise<MonthPartition[]> {
  const names = [...(await listMonths(db))].toSorted();
  return names.flatMap((name) => {
    const [, year, month] = /^consents_(\d{4})_(\d\d)$/.exec(name) ?? [];
    return year === undefined ? [] : [{ name, ...toMonth(`${year}-${month}-01`) }];
  });
}

/** The bounds of the ids of a month, by its first day. */
function toMonth(month: string): Omit<MonthPartition, "name"> {
  const start = new Date(`${month}T00:00:00Z`);
  return { month, low: toBound(start), high: toBound(startOfMonth(start, 1)) };
}

/**
 * Drops the partition of a month if it is empty; returns whether it did. Waits for locks a moment only, since collected
 * consents wait behind it.
 */
export async function dropEmptyPartition(tx: DataTx, { name }: MonthPartition): Promise<boolean> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${LOCK_NAME}, 0))`.execute(tx);
  await sql`SELECT set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`.execute(tx);
  await sql`LOCK TABLE ${sql.table(name)} IN ACCESS EXCLUSIVE MODE`.execute(tx);
  const { rows } = await sql`SELECT FROM ${sql.table(name)} LIMIT 1`.execute(tx);
  if (rows.length > 0) return false;
  await sql`ALTER TABLE consents DETACH PARTITION ${sql.table(name)}`.execute(tx);
  await sql`DROP TABLE ${sql.table(name)}`.execute(tx);
  return true;
}

/** The names of all partitions of `consents`. */
export async function listPartitions(db: DataDb): Promise<string[]> {
  return [...(await listMonths(db))];
}

async function listMonths(db: DataDb | DataTx): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'consents'::regclass
  `.execute(db);
  return new Set(rows.map(({ name }) => name));
}

function startOfMonth(instant: Date, later: number): Date {
  return new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + later, 1));
}

/** Lower bound of the ids of a month, of any UUID version. */
function toBound(month: Date): string {
  return firstIdAt(month).replace("-7000-8000-", "-0000-0000-");
}
