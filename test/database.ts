import { randomBytes } from "node:crypto";
import { Client } from "pg";

export interface TestDatabase extends AsyncDisposable {
  url: string;
}

interface TestDatabaseOptions {
  isEmpty?: boolean;
  /** The URL of a database to copy, to which nothing is connected; the migrated template by default. */
  copyOf?: string;
}

/** A database of its own on the run's server, dropped when disposed. */
export async function openTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { TEST_DATABASE_URL: server, TEST_DATABASE_TEMPLATE: migrated } = process.env;
  if (!server || !migrated) throw new Error("Tests are started by `npm test`.");
  const { isEmpty = false, copyOf } = options;
  const template = copyOf === undefined ? migrated : new URL(copyOf).pathname.slice(1);
  const name = `avow_test_${randomBytes(6).toString("hex")}`;
  const source = isEmpty ? "" : ` TEMPLATE ${template} STRATEGY FILE_COPY`;
  await runSql(server, `CREATE DATABASE ${name}${source}`);
  return {
    url: toDatabaseUrl(server, name),
    async [Symbol.asyncDispose]() {
      const drop = `DROP DATABASE ${name}`;
      // FORCE is not allowed to end autovacuum's work on the database; a plain drop is.
      await runSql(server, `${drop} WITH (FORCE)`).catch(() => runSql(server, drop));
    },
  };
}

/** The address of another database on the server. */
export function toDatabaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs one statement over a connection of its own. */
export async function runSql(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
