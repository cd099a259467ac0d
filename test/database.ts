import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { ALL_BUCKETS, TEST_BUCKET } from "./buckets.ts";
import { createOnNodes, dropOnNodes, readCluster } from "./citus-cluster.ts";
import { toDatabaseUrl } from "./database-urls.ts";

export interface TestDatabase extends AsyncDisposable {
  url: string;
  /** The database of the data plane: the same, a second one with `TEST_PLANES=2`, or one on the cluster with `citus`. */
  dataUrl: string;
}

interface TestDatabaseOptions {
  isEmpty?: boolean;
  /** The URL of a database to copy, which must have no connections; the migrated template by default. */
  copyOf?: string;
}

/** A separate database on the run's server, dropped when disposed. */
export async function openTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { TEST_DATABASE_URL: server, TEST_DATABASE_TEMPLATE: migrated } = process.env;
  if (!server || !migrated) throw new Error("Tests are started by `npm test`.");
  const { isEmpty = false, copyOf } = options;
  const template = copyOf === undefined ? migrated : toName(copyOf);
  const name = `avow_test_${randomBytes(6).toString("hex")}`;
  const source = isEmpty ? "" : ` TEMPLATE ${template} STRATEGY FILE_COPY`;
  await using opened = new AsyncDisposableStack();
  const url = toDatabaseUrl(server, name);
  const dataUrl = toDataUrl(url);
  const dataName = toName(dataUrl);
  for (const each of new Set(isOnCluster() ? [name] : [name, dataName])) {
    await runSql(server, `CREATE DATABASE ${each}${source}`);
    const drop = `DROP DATABASE ${each}`;
    // FORCE must not stop autovacuum on the database; a plain drop may.
    opened.defer(() => runSql(server, `${drop} WITH (FORCE)`).catch(() => runSql(server, drop)));
  }
  if (isOnCluster()) {
    const cluster = await readCluster(process.env["CITUS_URL"] ?? "");
    const copied =
      copyOf === undefined ? process.env["TEST_CITUS_TEMPLATE"] : toName(toDataUrl(copyOf));
    opened.defer(() => dropOnNodes(cluster, dataName));
    await createOnNodes(cluster, dataName, isEmpty ? undefined : copied);
  }
  const owned = opened.move();
  return { url, dataUrl, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/**
 * The URL of the data plane of a test database: `TEST_PLANES=2` runs tests with two databases, `TEST_PLANES=citus` with a
 * data plane on the cluster of CITUS_URL, whose projects are all in one bucket.
 */
export function toDataUrl(url: string): string {
  const { TEST_PLANES: planes, CITUS_URL: coordinator = "" } = process.env;
  const name = `${toName(url)}_data`;
  if (planes === "2") return toDatabaseUrl(url, name);
  return isOnCluster() ? toDatabaseUrl(coordinator, name) : url;
}

/** The schema in which tests find the tables of projects; undefined for that of the connection. */
export function getTablesSchema(): string | undefined {
  const planes = process.env["TEST_PLANES"] ?? "";
  return { buckets: ALL_BUCKETS, "one-bucket": TEST_BUCKET, citus: TEST_BUCKET }[planes];
}

/** The URL of a data plane for connections that read the tables of projects. */
export function toTablesUrl(dataUrl: string): string {
  const schema = getTablesSchema();
  if (schema === undefined) return dataUrl;
  const url = new URL(dataUrl);
  url.searchParams.set("options", `-c search_path=${schema},public`);
  return url.href;
}

/** Whether the data plane of this run is a bucket on a Citus cluster. */
export function isOnCluster(): boolean {
  return process.env["TEST_PLANES"] === "citus";
}

function toName(url: string): string {
  return new URL(url).pathname.slice(1);
}

/** Runs one statement over a separate connection. */
export async function runSql(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
