import { Kysely, PostgresDialect, type PostgresPool, sql } from "kysely";
import type { FastifyBaseLogger } from "fastify";
import { Client, Pool, type PoolClient, types } from "pg";
import { allowCopiesOn } from "./copy.ts";
import type { Db } from "./db.ts";
import { openPrepared } from "./prepared.ts";
import { codeOf } from "../errors.ts";
import type { Tables } from "./tables.ts";
import { StartError } from "../start-error.ts";

const STATEMENT_TIMEOUT_MS = 15_000;
/** For a network that answers nothing: the server's own time-out comes so much earlier. */
const NETWORK_MS = 5_000;
const CONNECTION_TIMEOUT_MS = 5_000;
const VERSION_MIN = 14;
const INT8_OID = 20;
const DATE_OID = 1082;

/** What every pool is opened with; a query may take `timeoutMs`, any time where that is 0. */
const toShared = (timeoutMs = STATEMENT_TIMEOUT_MS) => ({
  statement_timeout: timeoutMs,
  query_timeout: timeoutMs && timeoutMs + NETWORK_MS,
  keepAlive: true,
  connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
});

/** What the connections that write consents call themselves: who exports looks for their transactions. */
export const COLLECTING_NAME = "avow collect";

/** More callers wait for a connection than may, or one waited too long: nothing was asked of the database. */
export class DatabaseBusyError extends Error {
  override name = "DatabaseBusyError";
}

/**
 * Opens the database at `url` with at most `poolMax` connections, made when needed. A query for
 * which `queueMax` callers already wait throws DatabaseBusyError. int8 is read as a number (as text
 * where it is not safe), date as text. Ended by `db.destroy()`.
 */
export function openDatabase(options: {
  url: string;
  poolMax: number;
  queueMax: number;
  log: Pick<FastifyBaseLogger, "warn">;
  /** Commits are not waited for: what a crash of PostgreSQL then loses of the last second has to be done anew by itself. */
  isLax?: boolean;
  /** How long a query may take (15 s); 0 for migrations, which make indexes of tables of any size. */
  timeoutMs?: number;
}): Db {
  const pool = new Pool({
    connectionString: options.url,
    max: options.poolMax,
    application_name: "avow",
    ...(options.isLax ? { options: "-c synchronous_commit=off" } : {}),
    ...toShared(options.timeoutMs),
    types: { getTypeParser: toParser as typeof types.getTypeParser },
  });
  surviveLosses(pool, options.log);
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: toBoundedPool(pool, options.queueMax) }),
  });
}

/**
 * Opens `connections` connections for the one statement that writes consents. Its plan is made once,
 * maybe on empty tables, and must serve when they are huge: only indexes are looked up. Ended by
 * `pool.end()`.
 */
export function openCollectPool(options: {
  url: string;
  connections: number;
  log: Pick<FastifyBaseLogger, "warn">;
}): Pool {
  const pool = new Pool({
    connectionString: options.url,
    max: options.connections,
    application_name: COLLECTING_NAME,
    ...toShared(),
    idleTimeoutMillis: 0,
    // Waited for: whoever asked for the connection gets it set up, or this query's failure.
    // oxlint-disable-next-line typescript/no-misused-promises -- pg-pool takes a promise, its types do not say so
    onConnect: async (client) => void (await client.query(collectSession)),
  });
  surviveLosses(pool, options.log);
  return pool;
}

/** A connection that the server ends is replaced: when it is idle at the next query, else after its query failed. */
function surviveLosses(pool: Pool, log: Pick<FastifyBaseLogger, "warn">): void {
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection ended"));
  // One that is in use, but not by a query at that moment: its next query fails. Unheard, it would end the process.
  pool.on("connect", (client) => void client.on("error", () => undefined));
}

const collectSession = `
  SET synchronous_commit = on; SET plan_cache_mode = force_generic_plan; SET jit = off;
  SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off`;

/** Throws when the server is older than PostgreSQL 14. */
export async function assertPostgresVersion(db: Db): Promise<void> {
  const result = await sql<{ number: string; version: string }>`
    SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS version
  `.execute(db);
  const [row] = result.rows;
  if (row && Number(row.number) >= VERSION_MIN * 10_000) return;
  throw new StartError(
    `The database is PostgreSQL ${row?.version ?? "of unknown version"}; Avow needs ${VERSION_MIN} or newer.`,
  );
}

function toBoundedPool(pool: Pool, queueMax: number): PostgresPool {
  const prepared = openPrepared();
  pool.on("connect", (client) => {
    prepared.prepareOn(client);
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

/** SQLSTATE classes and socket errors of a database that is gone, closed to us, full or overloaded. */
const passingCodes =
  /^(08|28|3D000|53|55P03|57|40001|40P01)|^(ECONN|EPIPE|ENOENT|ENOTFOUND|EAI_|EHOST|ENET|ETIMEDOUT)/;
/** What pg says, without a code, of a connection that it lost or gave up. */
const passingMessages =
  /^(Connection terminated|Query read timeout|Client has encountered a connection error|Client was closed)/;

/** Whether an error of a query will pass by itself: the database does not answer, or has no room. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof DatabaseBusyError || isWaitTimeout(error)) return true;
  if (!(error instanceof Error)) return false;
  return passingCodes.test(codeOf(error)) || passingMessages.test(error.message);
}

/** Parsers of this pool alone: pg's own table is shared by the whole process. */
function toParser(oid: number, format?: "text" | "binary"): (value: string) => unknown {
  if (format !== "binary" && oid === INT8_OID) return toSafeNumber;
  if (format !== "binary" && oid === DATE_OID) return String;
  return types.getTypeParser(oid, format);
}

function toSafeNumber(value: string): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Does nothing but ask the database; throws when it does not answer. */
export async function assertAnswering(db: Db): Promise<void> {
  await sql`SELECT 1`.execute(db);
}
