import { ask } from "../measure/database.ts";
import type { DataPlane } from "./servers.ts";

/** Counts of the servers since the database was created. */
export interface Counts {
  /** Groups of consents; NaN if the servers do not count calls of functions. */
  groups: number;
  /** Transactions that a worker prepared for a commit in two phases. */
  prepared: number;
}

/** Reads the counts. They are complete once the service has closed its connections. */
export async function readCounts({ url, servers }: DataPlane): Promise<Counts> {
  const counted = await Promise.all(
    servers.map((server) =>
      ask<{ groups: number | null }>(
        server.url,
        `SELECT CASE WHEN current_setting('track_functions') <> 'none' THEN
          (SELECT coalesce(sum(calls), 0)::float8 FROM pg_stat_user_functions WHERE funcname = 'write_consents')
        END AS groups`,
      ),
    ),
  );
  const groups = counted.reduce((sum, [row]) => sum + (row?.groups ?? Number.NaN), 0);
  // Citus adds a row for each prepared transaction, and deletes it later.
  const [row] = await ask<{ prepared: number }>(
    url,
    `SELECT coalesce(sum(n_tup_ins), 0)::float8 AS prepared FROM pg_stat_all_tables
    WHERE relid = to_regclass('pg_catalog.pg_dist_transaction')`,
  );
  return { groups, prepared: row?.prepared ?? 0 };
}

/** Numbers of stored consents, and of accepted ones that are not stored, or more than once. */
export interface StoredCount {
  stored: number;
  lost: number;
  twice: number;
}

/** Compares the stored consents of all buckets with the ids of those that were accepted, each of a new visitor. */
export async function countStored(url: string, accepted: readonly string[]): Promise<StoredCount> {
  const schemas = await listSchemas(url);
  const rows: { id: string; token: string }[] = [];
  for (const schema of schemas)
    rows.push(
      ...(await ask<{ id: string; token: string }>(
        url,
        `SELECT id, token FROM ${schema}.consents`,
      )),
    );
  const ids = new Set(rows.map(({ id }) => id));
  const tokens = new Set(rows.map(({ token }) => token));
  const distinct = new Set(accepted);
  const lost = [...distinct].filter((id) => !ids.has(id)).length;
  // A consent that was stored twice has two ids and two visitors, of which only one was answered.
  const twice = Math.max(rows.length - distinct.size, rows.length - tokens.size);
  return { stored: rows.length, lost, twice: Math.max(0, twice) };
}

/** The number of consents that wait for the log. */
export async function countQueued(url: string): Promise<number> {
  let count = 0;
  for (const schema of await listSchemas(url)) {
    const [row] = await ask<{ count: number }>(
      url,
      `SELECT count(*)::int AS count FROM ${schema}.consent_queue`,
    );
    count += row?.count ?? 0;
  }
  return count;
}

/** The schemas of the buckets, quoted. */
async function listSchemas(url: string): Promise<string[]> {
  const rows = await ask<{ schema: string }>(
    url,
    "SELECT quote_ident(nspname) AS schema FROM pg_namespace WHERE nspname = 'public' OR nspname ~ '^avow_b[0-9]+$'",
  );
  return rows.map(({ schema }) => schema);
}
