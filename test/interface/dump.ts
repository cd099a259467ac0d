import { sql } from "kysely";
import type { Planes } from "../../packages/server/platform/db/db.ts";
import { service } from "../harness.ts";

/** Every table of a database, with its rows as JSON, binary columns in hexadecimal. */
export type Dump = ReadonlyMap<string, readonly string[]>;

/** Reads the whole database, or both, including the job queue's tables: all that a backup would have. */
export async function dumpDatabase({ db, data }: Planes = service): Promise<Dump> {
  const dump = new Map<string, string[]>();
  for (const plane of new Set([db, data])) {
    const { rows: tables } = await sql<{ name: string }>`
      SELECT format('%I.%I', n.nspname, c.relname) AS name
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'm') AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_(toast|temp|catalog)'
      ORDER BY 1`.execute(plane);
    for (const { name } of tables) {
      const { rows } = await sql<{ text: string }>`
        SELECT t::text || ' ' || to_json(t)::text AS text FROM ${sql.raw(name)} AS t`.execute(
        plane,
      );
      // The tables of a bucket are named as those of an installation without buckets.
      const common = name.replace(/^avow_b\d+\./, "public.");
      dump.set(common, [...(dump.get(common) ?? []), ...rows.map(({ text }) => text)]);
    }
  }
  return dump;
}

/** The tables that contain a text. */
export function findTables(dump: Dump, text: string): string[] {
  return [...dump].flatMap(([name, rows]) =>
    rows.some((row) => row.includes(text)) ? [name] : [],
  );
}
