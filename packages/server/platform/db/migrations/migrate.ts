import { readFile, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { Pooling } from "../connections/session.ts";
import { inEachBucket } from "./in-each-bucket.ts";
import type { DataDb, DataTx, Db } from "../db.ts";
import { type PlaneUrls, assertPostgresVersion, openDatabase } from "../open.ts";
import { codeOf } from "../../errors.ts";
import { StartError } from "../../start-error.ts";

const ownFolder = join(import.meta.dirname, "..", "..", "..", "migrations");
const filePattern = /^\d{4}_[a-z0-9_]+(?:\.bucket)?\.sql$/;
/** Files that change tables or functions of buckets. */
const bucketPattern = /\.bucket\.sql$/;
const MIGRATIONS_TABLE = "kysely_migration";

interface MigrationOptions {
  /** Default: that of the service. */
  folder?: string;
  /** Default: all files of the folder. */
  names?: readonly string[];
}

/**
 * Migrates the database at `url` over a connection without a query timeout. Returns the names of the migrations that
 * this call applied.
 */
async function migrateUrl(
  url: string,
  log: Pick<FastifyBaseLogger, "info" | "warn">,
  pooling: Pooling,
): Promise<string[]> {
  const db = openDatabase({ url, poolMax: 1, queueMax: 10, log, timeoutMs: 0, pooling });
  try {
    await assertPostgresVersion(db);
    return await migrateDatabase(db, log);
  } finally {
    await db.destroy();
  }
}

/** Migrates both planes, which have the same tables; each uses its own. Returns the names as `migrateUrl`. */
export async function migratePlanes(
  { url, dataUrl }: PlaneUrls,
  log: Pick<FastifyBaseLogger, "info" | "warn">,
  pooling: Pooling,
): Promise<string[]> {
  const names = await migrateUrl(url, log, pooling);
  if (dataUrl === url) return names;
  return [...new Set([...names, ...(await migrateUrl(dataUrl, log, pooling))])];
}

/**
 * Migrates the database to the newest file of `folder` (0001_name.sql and so on, each with any number of statements),
 * in one transaction. A file 0001_name.bucket.sql also runs in the schema of each bucket. `db` has no timeout: a migration, or the wait for another service's, may take longer than a request's
 * query. Several services may do so concurrently. Costs one query when there is nothing to do. Returns the names of the
 * migrations that this call applied.
 * Throws and changes nothing when a file fails, or when the database was migrated by a newer version.
 */
export async function migrateDatabase(
  db: Db | DataDb,
  log: Pick<FastifyBaseLogger, "info">,
  { folder = ownFolder, names: given }: MigrationOptions = {},
): Promise<string[]> {
  const names = given ?? (await listMigrations(folder));
  const applied = await listApplied(db);
  assertKnown(applied, names);
  if (applied.length === names.length) return [];
  const done = await migrate(db, folder, names);
  if (done.length > 0) log.info({ migrations: done }, "database migrated");
  return done;
}

/** Lists the migrations of this version by their files' names, in order. */
export async function listMigrations(folder = ownFolder): Promise<string[]> {
  return (await readdir(folder)).filter((name) => filePattern.test(name)).toSorted();
}

/** Applies the missing migrations under a lock. Returns their names. */
async function migrate(
  db: Db | DataDb,
  folder: string,
  names: readonly string[],
): Promise<string[]> {
  const provider = { getMigrations: () => readMigrations(folder, names) };
  const migrator = new Migrator({ db: db as Kysely<unknown>, provider });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const failed = results?.find((result) => result.status === "Error")?.migrationName;
    if (failed !== undefined)
      throw new StartError(await toFailure(join(folder, failed), error), { cause: error });
    assertKnown(await listApplied(db), names);
    throw error;
  }
  return (results ?? []).map((result) => result.migrationName);
}

/** Lists the applied migrations; none for a new database. */
async function listApplied(db: Db | DataDb): Promise<string[]> {
  const table = sql.table(MIGRATIONS_TABLE);
  try {
    const { rows } = await sql<{ name: string }>`SELECT name FROM ${table} ORDER BY name`.execute(
      db,
    );
    return rows.map((row) => row.name);
  } catch (error) {
    if (codeOf(error) === "42P01") return [];
    throw error;
  }
}

/** The migrations that the next start applies, and those of a newer version. */
export async function compareMigrations(
  db: Db | DataDb,
): Promise<{ missing: string[]; unknown: string[] }> {
  const [names, applied] = [await listMigrations(), await listApplied(db)];
  return {
    missing: names.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !names.includes(name)),
  };
}

/** Throws unless all migrations of this version, and no others, were applied. */
export async function assertMigrated(db: Db | DataDb): Promise<void> {
  const [names, applied] = [await listMigrations(), await listApplied(db)];
  assertKnown(applied, names);
  const count = names.length - applied.length;
  if (count === 0) return;
  throw new StartError(
    `The database lacks ${count} migrations of this version. Run avow migrate, or set MIGRATE_AT_START=on.`,
  );
}

function assertKnown(applied: readonly string[], names: readonly string[]): void {
  const unknown = applied.filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  throw new StartError(
    `The database was migrated by a newer version of Avow (${unknown.join(", ")}). Run that version, or restore a backup.`,
  );
}

async function readMigrations(
  folder: string,
  names: readonly string[],
): Promise<Record<string, Migration>> {
  const migrations = names.map(async (name): Promise<[string, Migration]> => {
    const text = await readFile(join(folder, name), "utf8");
    // Without parameters PostgreSQL accepts many statements in one query.
    const up = async (db: Kysely<unknown>): Promise<void> => {
      await sql.raw(text).execute(db);
      if (bucketPattern.test(name)) await inEachBucket(db as unknown as DataTx, text);
    };
    return [name, { up }];
  });
  return Object.fromEntries(await Promise.all(migrations));
}

async function toFailure(file: string, error: unknown): Promise<string> {
  const message = error instanceof Error ? error.message : String(error);
  const position = error instanceof Error && "position" in error ? Number(error.position) : 0;
  const text = await readFile(file, "utf8");
  const line = position > 0 ? ` in line ${text.slice(0, position).split("\n").length}` : "";
  return `Migration ${basename(file)} failed${line}: ${message}`;
}
