import { createHash, randomBytes } from "node:crypto";
import { globSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { migrateDatabase } from "../../packages/server/platform/db/migrations/migrate.ts";
import type { DataDb } from "../../packages/server/platform/db/db.ts";
import { openDatabase } from "../../packages/server/platform/db/open.ts";
import { openJobs } from "../../packages/server/kernel/jobs.ts";
import { openLog } from "../../packages/server/platform/log.ts";
import { openEmbeddedPostgres } from "@avow/postgres";
import { createTestBuckets, createTestViews, useTestBucketOnly } from "../buckets.ts";
import { runSql } from "../database.ts";
import { toDatabaseUrl } from "../database-urls.ts";

const root = resolve(import.meta.dirname, "../..");
const cacheFolder = join(root, "node_modules/.cache/avow-tests");
const CONNECTIONS_MAX = 400;
const CACHED_TEMPLATE = "avow_template";
/** Buckets of the data plane in the rings `buckets` and `one-bucket`. */
const BUCKETS = 4;
const bucketFiles = globSync("packages/server/platform/db/buckets/*.ts", { cwd: root });

const log = openLog({ level: "warn", format: "json", output: process.stderr });

/** The server of a test run. */
export interface RunDatabase extends AsyncDisposable {
  /** URL with a role that may create databases. */
  url: string;
  /** The name of a database that is migrated and empty; every test database is a copy of it. */
  template: string;
}

/** Opens the server at `TEST_DATABASE_URL`, or else an embedded one, for tests with these planes (`TEST_PLANES`). */
export async function openRunDatabase(planes?: string): Promise<RunDatabase> {
  const url = process.env["TEST_DATABASE_URL"];
  if (!url) return openEmbedded(planes);
  const template = `avow_template_${randomBytes(6).toString("hex")}`;
  await createTemplate(url, template, planes);
  const drop = () => runSql(url, `DROP DATABASE ${template}`);
  return { url, template, [Symbol.asyncDispose]: drop };
}

/** A server without fsync in a temporary folder, its cluster copied from a cache that the first run fills. */
async function openEmbedded(planes: string | undefined): Promise<RunDatabase> {
  await using opened = new AsyncDisposableStack();
  const cached = await getCachedCluster(planes);
  const dataDir = await mkdtemp(join(tmpdir(), "avow-tests-"));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  await cp(cached, dataDir, { recursive: true });
  const options = { dataDir, log, durable: false, connectionsMax: CONNECTIONS_MAX };
  const { url } = opened.use(await openEmbeddedPostgres(options));
  const owned = opened.move();
  return { url, template: CACHED_TEMPLATE, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** The folder of a cluster with the template; made when the migrations or PostgreSQL changed. */
async function getCachedCluster(planes: string | undefined): Promise<string> {
  const prefix = hasBuckets(planes) ? `${planes}-` : "cluster-";
  const name = `${prefix}${await hashInputs()}`;
  const folder = join(cacheFolder, name);
  await mkdir(cacheFolder, { recursive: true });
  const found = await readdir(cacheFolder);
  if (found.includes(name)) return folder;
  const fresh = await mkdtemp(join(cacheFolder, "new-"));
  {
    await using server = await openEmbeddedPostgres({ dataDir: fresh, log, durable: false });
    await createTemplate(server.url, CACHED_TEMPLATE, planes);
  }
  // Another run may have been faster.
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true }));
  for (const old of found.filter((other) => other.startsWith(prefix)))
    await rm(join(cacheFolder, old), { recursive: true, force: true });
  return folder;
}

/** Creates a database with all migrations and the tables of the job queue. */
async function createTemplate(
  serverUrl: string,
  name: string,
  planes: string | undefined,
): Promise<void> {
  await runSql(serverUrl, `CREATE DATABASE ${name}`);
  const url = toDatabaseUrl(serverUrl, name);
  const db = openDatabase({ url, poolMax: 1, queueMax: 10, log, timeoutMs: 0 });
  try {
    await migrateDatabase(db, log);
    if (hasBuckets(planes)) {
      // The same connections under the other plane's type: there is one database.
      const data = db as unknown as DataDb;
      await createTestBuckets(data, BUCKETS);
      if (planes === "buckets") await createTestViews(data);
      else await useTestBucketOnly(data);
    }
  } finally {
    await db.destroy();
  }
  await using _jobs = await openJobs({ databaseUrl: url, log, stopTimeoutMs: 1_000 });
}

function hasBuckets(planes: string | undefined): boolean {
  return planes === "buckets" || planes === "one-bucket";
}

async function hashInputs(): Promise<string> {
  const migrations = join(root, "packages/server/migrations");
  const files = (await readdir(migrations)).toSorted().map((name) => join(migrations, name));
  const hash = createHash("sha256");
  const made = ["test/buckets.ts", ...bucketFiles].map((name) => join(root, name));
  for (const file of [...files, ...made, join(root, "package-lock.json"), import.meta.filename])
    hash.update(`${file}\0`).update(await readFile(file));
  return hash.digest("hex").slice(0, 16);
}
