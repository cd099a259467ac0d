import type { Readable } from "node:stream";
import { Kysely, PostgresDialect } from "kysely";
import { Client } from "pg";
import { to as copyTo } from "pg-copy-streams";
import type { Db } from "../db.ts";
import type { ControlTables } from "../tables.ts";

/** A table of a dump. */
export interface DumpedTable {
  /** `public` for the service's own tables, wherever they are; those of pg-boss have their schema. */
  schema: "public" | "pgboss";
  name: string;
  /** In the order of the values in a row. */
  columns: string[];
}

/** A sequence and the arguments of `setval`. */
interface DumpedSequence {
  name: string;
  lastValue: string;
  isCalled: boolean;
}

/** A partition, which must exist before its rows are loaded. */
interface DumpedPartition {
  name: string;
  parent: string;
  /** As in `CREATE TABLE … PARTITION OF … FOR VALUES …`. */
  bound: string;
}

export interface DumpSchema {
  /** The server's version, such as `18.1`. */
  postgres: string;
  /** Names of the applied migrations, in order. */
  migrations: string[];
  /** A table comes after those that its foreign keys refer to. */
  tables: DumpedTable[];
  partitions: DumpedPartition[];
  sequences: DumpedSequence[];
}

/** A view of the whole database at one time. Writes continue beside it. */
export interface Snapshot extends AsyncDisposable {
  schema: DumpSchema;
  /** Reads the database at that time. */
  db: Db;
  /** The rows of a table in the text format of COPY, and their number once all are read. */
  openRows(table: DumpedTable): { rows: Readable; count: () => number };
}

/** The state of a job that has ended, in pg-boss's order of states. */
const ENDED_JOB = "completed";
/** Tables of the migrator, which a restore fills by migrating. */
const migratorTables = ["kysely_migration", "kysely_migration_lock"];
/** Tables of pg-boss that hold work; it creates the others again. */
const jobTables = ["queue", "job"];

/**
 * Opens a snapshot of the database at `url` in a read-only transaction, for as long as the copies take.
 * @throws DatabaseError if the database has no tables of this service
 */
export async function openSnapshot(url: string): Promise<Snapshot> {
  const client = new Client({ connectionString: url, application_name: "avow backup" });
  await client.connect();
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await liftTimeLimits(client);
    const schema = await readSchema(client);
    return {
      schema,
      db: openOn(client),
      openRows(table) {
        const rows = client.query(copyTo(toCopy(table)));
        return { rows, count: () => rows.rowCount };
      },
      [Symbol.asyncDispose]: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

/**
 * Lifts the limits that an operator may have set for requests, until the end of the transaction: a copy of a large table
 * takes longer. Each limit is looked up, since an unknown setting would abort the transaction; `transaction_timeout` is
 * new in PostgreSQL 17.
 */
export async function liftTimeLimits(client: Client): Promise<void> {
  await client.query(
    `SELECT set_config(name, '0', true) FROM pg_settings
     WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`,
  );
}

/** Queries on one connection, one after the other. */
function openOn(client: Client): Db {
  const connection = Object.assign(client, { release: () => undefined });
  const pool = {
    connect: () => Promise.resolve(connection),
    end: () => Promise.resolve(),
    options: {},
    Client,
  };
  return new Kysely<ControlTables>({ dialect: new PostgresDialect({ pool }) });
}

function toCopy(table: DumpedTable): string {
  const list = table.columns.map(quoteName).join(", ");
  const isJobs = table.schema === "pgboss" && table.name === "job";
  // A query, since COPY of a partitioned table by its name has no rows.
  return `COPY (SELECT ${list} FROM ${toPlace(table)}${isJobs ? ` WHERE state < '${ENDED_JOB}'` : ""}) TO STDOUT`;
}

/** A table's name in SQL. The service's own are in the first schema of the search path. */
export function toPlace({ schema, name }: Pick<DumpedTable, "schema" | "name">): string {
  return schema === "pgboss" ? `pgboss.${quoteName(name)}` : quoteName(name);
}

async function readSchema(client: Client): Promise<DumpSchema> {
  const tables = await listTables(client);
  const { rows: version } = await client.query<{ server_version: string }>("SHOW server_version");
  const { rows: migrations } = await client.query<{ name: string }>(
    "SELECT name FROM kysely_migration ORDER BY name",
  );
  return {
    postgres: version[0]?.server_version.split(" ")[0] ?? "",
    migrations: migrations.map(({ name }) => name),
    tables: sortByReferences(tables, await listReferences(client)),
    partitions: await listPartitions(client),
    sequences: await listSequences(client),
  };
}

async function listTables(client: Client): Promise<DumpedTable[]> {
  const { rows } = await client.query<DumpedTable>(
    `SELECT CASE n.nspname WHEN 'pgboss' THEN 'pgboss' ELSE 'public' END AS schema, c.relname AS name, (
       SELECT json_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a
       WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     ) AS columns
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND (n.nspname = current_schema() AND c.relname <> ALL ($1) OR n.nspname = 'pgboss' AND c.relname = ANY ($2))
     ORDER BY 1, 2`,
    [migratorTables, jobTables],
  );
  return rows;
}

interface Reference {
  table: string;
  target: string;
}

async function listReferences(client: Client): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(
    `SELECT DISTINCT c.relname AS table, t.relname AS target
     FROM pg_constraint k
     JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class t ON t.oid = k.confrelid
     WHERE k.contype = 'f' AND k.conrelid <> k.confrelid`,
  );
  return rows;
}

function sortByReferences(
  tables: readonly DumpedTable[],
  references: readonly Reference[],
): DumpedTable[] {
  const sorted: DumpedTable[] = [];
  const visit = (table: DumpedTable): void => {
    if (sorted.includes(table)) return;
    for (const { target } of references.filter((one) => one.table === table.name))
      for (const one of tables.filter(({ name }) => name === target)) visit(one);
    sorted.push(table);
  };
  for (const table of tables) visit(table);
  return sorted;
}

async function listPartitions(client: Client): Promise<DumpedPartition[]> {
  const { rows } = await client.query<DumpedPartition>(
    `SELECT c.relname AS name, p.relname AS parent,
       pg_get_expr(c.relpartbound, c.oid) AS bound
     FROM pg_inherits i
     JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
     JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND c.relispartition AND n.nspname = current_schema() ORDER BY 1`,
  );
  return rows;
}

async function listSequences(client: Client): Promise<DumpedSequence[]> {
  const { rows: names } = await client.query<{ name: string }>(
    `SELECT sequencename AS name FROM pg_sequences WHERE schemaname = current_schema() ORDER BY 1`,
  );
  const sequences: DumpedSequence[] = [];
  for (const { name } of names) {
    const { rows } = await client.query<{ last_value: string; is_called: boolean }>(
      `SELECT last_value, is_called FROM ${quoteName(name)}`,
    );
    for (const { last_value: lastValue, is_called: isCalled } of rows)
      sequences.push({ name, lastValue, isCalled });
  }
  return sequences;
}

/** Quotes a name for SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
