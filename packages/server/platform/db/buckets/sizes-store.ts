import { sql } from "kysely";
import type { DataDb } from "../db.ts";
import { bucketTables } from "../planes.ts";
import { isCoordinator } from "./citus.ts";
import { type BucketRow, HOME, listBucketRows } from "./directory-store.ts";

/** The content of a bucket, and its server. */
export interface BucketSize extends BucketRow {
  /** `host:port` of the worker; undefined for the server of the connection. */
  server: string | undefined;
  projects: number;
  bytes: number;
}

/** The sizes of all buckets. Counts the projects of each. */
export async function listBucketSizes(home: DataDb): Promise<BucketSize[]> {
  const buckets = await listBucketRows(home);
  const remote = (await isCoordinator(home)) ? await listRemote(home) : new Map<string, Remote>();
  const sizes: BucketSize[] = [];
  for (const bucket of buckets) {
    const { name } = bucket;
    const { rows } = await sql<{ projects: number }>`
      SELECT count(*) AS projects FROM ${sql.table(`${name}.collecting_projects`)}`.execute(home);
    const { server, bytes } = remote.get(name) ?? {
      server: undefined,
      bytes: await readBytes(home, name),
    };
    sizes.push({ ...bucket, server, bytes, projects: rows[0]?.projects ?? 0 });
  }
  return sizes;
}

interface Remote {
  server: string;
  bytes: number;
}

/** Distributed schemas by name. Citus: `citus_schemas`, `citus_shards`. */
async function listRemote(home: DataDb): Promise<Map<string, Remote>> {
  const { rows } = await sql<Remote & { name: string }>`
    SELECT c.relnamespace::regnamespace::text AS name, min(s.nodename || ':' || s.nodeport) AS server,
      sum(s.shard_size)::bigint AS bytes
    FROM citus_shards s JOIN pg_class c ON c.oid = s.table_name
    WHERE s.citus_table_type = 'schema' GROUP BY 1`.execute(home);
  return new Map(rows.map(({ name, ...one }) => [name, one]));
}

async function readBytes(home: DataDb, schema: string): Promise<number> {
  const names = schema === HOME ? [...bucketTables] : null;
  const { rows } = await sql<{ bytes: number }>`
    SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint AS bytes FROM pg_class c
    LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
    WHERE c.relnamespace = ${schema}::regnamespace AND c.relkind = 'r'
      AND (${sql.val(names)}::text[] IS NULL OR c.relname = ANY (${sql.val(names)}::text[])
        OR i.inhparent::regclass::text = ANY (${sql.val(names)}::text[]))`.execute(home);
  return rows[0]?.bytes ?? 0;
}
