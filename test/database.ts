import { randomBytes } from "node:crypto";
import { Client } from "pg";

export interface TestDatabase extends AsyncDisposable {
  url: string;
  /** The database of the data plane: the same, or a second one with `TEST_PLANES=2`. */
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
  const template = copyOf === undefined ? migrated : new URL(copyOf).pathname.slice(1);
  const name = `avow_test_${randomBytes(6).toString("hex")}`;
  const source = isEmpty ? "" : ` TEMPLATE ${template} STRATEGY FILE_COPY`;
  const url = toDatabaseUrl(server, name);
  const dataUrl = toDataUrl(url);
  const names = new Set([url, dataUrl].map((one) => new URL(one).pathname.slice(1)));
  for (const each of names) await runSql(server, `CREATE DATABASE ${each}${source}`);
  return {
    url,
    dataUrl,
    async [Symbol.asyncDispose]() {
      for (const each of names) {
        const drop = `DROP DATABASE ${each}`;
        // FORCE must not stop autovacuum on the database; a plain drop may.
        await runSql(server, `${drop} WITH (FORCE)`).catch(() => runSql(server, drop));
      }
    },
  };
}

/** The URL of the data plane of a test database: `TEST_PLANES=2` runs tests with two databases. */
export function toDataUrl(url: string): string {
  const name = new URL(url).pathname.slice(1);
  return process.env["TEST_PLANES"] === "2" ? toDatabaseUrl(url, `${name}_data`) : url;
}

/** The URL of another database on the server. */
export function toDatabaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
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
