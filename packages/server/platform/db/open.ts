import { Kysely, PostgresDialect, type PostgresPool, sql } from "kysely";
import type { FastifyBaseLogger } from "fastify";
import { Client, type ClientBase, Pool, type PoolClient, type PoolConfig, types } from "pg";
import { allowCopiesOn } from "./copy.ts";
import type { DataDb, Db, Planes } from "./db.ts";
import { openPrepared } from "./prepared.ts";
import { rejectUnreplicated } from "./connections/replication.ts";
import {
  type Pooling,
  type SessionSettings,
  avoidSession,
  toSettingStatement,
} from "./connections/session.ts";
import { codeOf } from "../errors.ts";
import type { DataTables } from "./tables-data.ts";
import type { ControlTables } from "./tables.ts";
import { StartError } from "../start-error.ts";

const STATEMENT_TIMEOUT_MS = 15_000;
/** Margin of the client's timeout, for a dead network, over the server's. */
const NETWORK_MS = 5_000;
const CONNECTION_TIMEOUT_MS = 5_000;
const VERSION_MIN = 14;
const INT8_OID = 20;
const DATE_OID = 1082;

/** Options of every pool. */
interface PoolOptions {
  url: string;
  log: Pick<FastifyBaseLogger, "warn">;
  /** Default: session. */
  pooling?: Pooling;
}

/**
 * Opens a pool whose queries last at most `timeoutMs`, 0 for no limit. Statements configure a new connection, or each
 * transaction: PgBouncer rejects or ignores settings among the parameters of the connection itself. In transaction mode,
 * the server does not limit a query outside of a transaction; this process does.
 */
function openPool(
  { url, log, pooling = "session" }: PoolOptions,
  {
    timeoutMs = STATEMENT_TIMEOUT_MS,
    settings: more,
    ...options
  }: PoolConfig & { timeoutMs?: number | undefined; settings: SessionSettings },
): Pool {
  const settings = { statement_timeout: `'${timeoutMs}'`, ...more };
  const configured = {
    // Awaited by the pool: the caller gets a configured connection, or this query's error.
    onConnect: async (client: ClientBase) =>
      void (await client.query(toSettingStatement(settings, false))),
  };
  const pool = new Pool({
    connectionString: url,
    query_timeout: timeoutMs && timeoutMs + NETWORK_MS,
    keepAlive: true,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    ...options,
    ...(pooling === "session" ? configured : {}),
  });
  if (pooling === "transaction") pool.on("connect", (client) => avoidSession(client, settings));
  surviveLosses(pool, log);
  return pool;
}

/** The application name of connections that write consents, by which exports find their transactions. */
export const COLLECTING_NAME = "avow collect";

/** The queue for a connection is full, or the wait timed out. No query was sent. */
export class DatabaseBusyError extends Error {
  override name = "DatabaseBusyError";
}

/**
 * Opens the database at `url` with at most `poolMax` connections, opened on demand. Throws DatabaseBusyError when
 * `queueMax` callers already wait. int8 is parsed as a number (as text if unsafe), date as text. Close it with
 * `db.destroy()`.
 */
export function openDatabase(options: DatabaseOptions): Db {
  return openPlane<ControlTables>(options);
}

/** As `openDatabase`, for the data plane. */
export function openDataDatabase(options: DatabaseOptions): DataDb {
  return openPlane<DataTables>(options);
}

interface DatabaseOptions extends PoolOptions {
  poolMax: number;
  queueMax: number;
  /** The schema of a bucket, whose tables then come before those of `public`. */
  schema?: string | undefined;
  /** Asynchronous commits: a crash of PostgreSQL may lose the last second, which the caller must be able to repeat. */
  isLax?: boolean;
  /** Maximum duration of a query (15 s); 0 for migrations, which index tables of any size. */
  timeoutMs?: number;
}

/** The addresses of both planes, which are equal with one database. */
export interface PlaneUrls {
  url: string;
  dataUrl: string;
}

/** The addresses of both planes; without `dataUrl`, one database has both. */
export function toPlaneUrls(url: string, dataUrl: string | undefined): PlaneUrls {
  return { url, dataUrl: dataUrl ?? url };
}

/** Opens both planes, each as `openDatabase`; with one database they share its connections. */
export function openPlanes({
  dataUrl,
  ...options
}: DatabaseOptions & PlaneUrls): Planes & AsyncDisposable {
  const db = openDatabase(options);
  const isOne = dataUrl === options.url;
  // The same connections under the other plane's type.
  const data = isOne ? (db as unknown as DataDb) : openDataDatabase({ ...options, url: dataUrl });
  return {
    db,
    data,
    async [Symbol.asyncDispose]() {
      await db.destroy();
      if (!isOne) await data.destroy();
    },
  };
}

function openPlane<Plane>(options: DatabaseOptions): Kysely<Plane> {
  const pool = openPool(options, {
    max: options.poolMax,
    application_name: "avow",
    timeoutMs: options.timeoutMs,
    settings: { ...(options.isLax ? { synchronous_commit: "'off'" } : {}), ...toPath(options) },
    types: { getTypeParser: toParser as typeof types.getTypeParser },
  });
  return new Kysely<Plane>({
    dialect: new PostgresDialect({ pool: toBoundedPool(pool, options) }),
  });
}

/**
 * Opens `connections` connections for the function that writes consents. Its plans are created once, maybe on empty
 * tables, and must also suit huge ones, so only index scans are enabled. Close it with `pool.end()`.
 */
export function openCollectPool(
  options: PoolOptions & { connections: number; schema?: string | undefined },
): Pool {
  return openPool(options, {
    max: options.connections,
    application_name: COLLECTING_NAME,
    settings: { ...collectSettings, ...toPath(options) },
    idleTimeoutMillis: 0,
  });
}

function toPath({ schema }: { schema?: string | undefined }): SessionSettings {
  return schema === undefined ? {} : { search_path: `'${schema}, public'` };
}

/** Handles connections that the server closes, which the pool replaces, and cancelled waits for a standby. */
function surviveLosses(pool: Pool, log: Pick<FastifyBaseLogger, "warn">): void {
  pool.on("connect", rejectUnreplicated);
  pool.on("error", (error) => log.warn({ err: error }, "idle database connection lost"));
  // A connection in use between two queries: its next query fails. Without a listener the process would end.
  pool.on("connect", (client) => void client.on("error", () => undefined));
}

const collectSettings = {
  // Citus sends a function to its worker only with the values of its parameters.
  plan_cache_mode: `CASE WHEN EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')
    THEN 'auto' ELSE 'force_generic_plan' END`,
  jit: "'off'",
  enable_seqscan: "'off'",
  enable_hashjoin: "'off'",
  enable_mergejoin: "'off'",
};

/** Throws when the server is older than PostgreSQL 14. */
export async function assertPostgresVersion(db: Db | DataDb): Promise<void> {
  const result = await sql<{ number: string; version: string }>`
    SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS version
  `.execute(db);
  const [row] = result.rows;
  if (row && Number(row.number) >= VERSION_MIN * 10_000) return;
  throw new StartError(
    `The database is PostgreSQL ${row?.version ?? "of unknown version"}; Avow requires ${VERSION_MIN} or newer.`,
  );
}

function toBoundedPool(
  pool: Pool,
  { queueMax, pooling }: { queueMax: number; pooling?: Pooling },
): PostgresPool {
  const prepared = openPrepared();
  pool.on("connect", (client) => {
    if (pooling !== "transaction") prepared.prepareOn(client);
    allowCopiesOn(client);
  });
  const connect = async (): Promise<PoolClient> => {
    const free = pool.idleCount + pool.options.max - pool.totalCount;
    if (pool.waitingCount - free >= queueMax) {
      throw new DatabaseBusyError(`${queueMax} queries already wait for a connection.`);
    }
    try {
      return await pool.connect();
    } catch (error) {
      if (!isWaitTimeout(error)) throw error;
      throw new DatabaseBusyError("No connection became free in time.", { cause: error });
    }
  };
  return {
    connect,
    end: () => pool.end(),
    options: pool.options,
    Client: Client,
  };
}

/** pg-pool gives this error no code of its own. */
function isWaitTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === "timeout exceeded when trying to connect";
}

/** SQLSTATE classes and socket errors of a database that is unreachable, closed, full, overloaded or a standby by now. */
const transientCodes =
  /^(08|25006|28|3D000|53|55P03|57|40001|40P01)|^(ECONN|EPIPE|ENOENT|ENOTFOUND|EAI_|EHOST|ENET|ETIMEDOUT)/;
/** Messages of pg, without a code, for a lost or closed connection. */
const transientMessages =
  /^(Connection terminated|Query read timeout|Client has encountered a connection error|Client was closed)/;

/** Functions of Citus that report a worker that was lost before or during a commit, under the code of internal errors. */
const transientRoutines: ReadonlySet<unknown> = new Set([
  "CheckRemoteTransactionsHealth",
  "ErrorIfPostCommitFailedShardPlacements",
  "MarkRemoteTransactionFailed",
  "FinishRemoteTransactionPrepare",
]);

/** Whether a query failed since the database is unavailable or full, so that a retry may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseBusyError || isWaitTimeout(error)) return true;
  if (!(error instanceof Error)) return false;
  if ("routine" in error && transientRoutines.has(error.routine)) return true;
  return transientCodes.test(codeOf(error)) || transientMessages.test(error.message);
}

/** Parsers of this pool only, since pg's own table is shared by the whole process. */
function toParser(oid: number, format?: "text" | "binary"): (value: string) => unknown {
  if (format !== "binary" && oid === INT8_OID) return toSafeNumber;
  if (format !== "binary" && oid === DATE_OID) return String;
  return types.getTypeParser(oid, format);
}

function toSafeNumber(value: string): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Throws when the database does not respond. */
export async function assertDatabaseResponds(db: Db | DataDb): Promise<void> {
  await sql`SELECT 1`.execute(db);
}
