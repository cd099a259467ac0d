import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { firstIdAt } from "../../../kernel/ids.ts";

/** Of one after the other: two services that make the same table at once would fail. */
const LOCK_NAME = "avow consents months";
/** Before this there is one partition for all (see the migration): a file to import may name any year. */
const first = new Date("2018-01-01T00:00:00Z");

/** Makes the partitions of `consents` for the months (UTC) from that of `from` to that of `to`, from 2018 on. */
export async function keepMonths(db: Db, from: Date, to: Date): Promise<void> {
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
      // A table that is attached lets consents be collected meanwhile; one made in place does not.
      await sql`CREATE TABLE ${sql.table(name)} (LIKE consents INCLUDING ALL)`.execute(tx);
      await sql`
        ALTER TABLE consents ATTACH PARTITION ${sql.table(name)}
        FOR VALUES FROM (${sql.lit(low)}) TO (${sql.lit(high)})
      `.execute(tx);
    }
  });
}

async function listMonths(db: Db | Tx): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'consents'::regclass
  `.execute(db);
  return new Set(rows.map(({ name }) => name));
}

function startOfMonth(instant: Date, later: number): Date {
  return new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + later, 1));
}

/** The lowest id of a month, whatever its version. */
function toBound(month: Date): string {
  return firstIdAt(month).replace("-7000-8000-", "-0000-0000-");
}
