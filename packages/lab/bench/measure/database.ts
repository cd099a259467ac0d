import { join } from "node:path";
import { Client } from "pg";
import { openEmbeddedPostgres } from "@avow/postgres";

/** A PostgreSQL server with production parameters and durability. */
export interface Databases extends AsyncDisposable {
  /** Creates an empty database; returns its URL. */
  create: (name: string) => Promise<string>;
  /** Copies another database, which must have no connections; returns the URL of the copy. */
  copy: (name: string, from: string) => Promise<string>;
  /** The URL of a database. */
  toUrl: (name: string) => string;
}

/** Starts a PostgreSQL with its files in `folder`, for `connectionsMax` connections if given. */
export async function openDatabases(folder: string, connectionsMax?: number): Promise<Databases> {
  const log = { warn: (...args: unknown[]) => console.error(...args) };
  const dataDir = join(folder, "database");
  const limit = connectionsMax === undefined ? {} : { connectionsMax };
  const postgres = await openEmbeddedPostgres({ dataDir, log, ...limit });
  const toUrl = (name: string): string => {
    const url = new URL(postgres.url);
    url.pathname = `/${name}`;
    return url.href;
  };
  return {
    create: async (name) => {
      await ask(postgres.url, `CREATE DATABASE "${name}"`);
      return toUrl(name);
    },
    copy: async (name, from) => {
      await ask(postgres.url, `CREATE DATABASE "${name}" TEMPLATE "${from}" STRATEGY FILE_COPY`);
      return toUrl(name);
    },
    toUrl,
    [Symbol.asyncDispose]: () => postgres[Symbol.asyncDispose](),
  };
}

/** Runs one statement on a separate connection without a timeout; returns its rows. */
export async function ask<Row extends object>(
  url: string,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: url, application_name: "bench" });
  await client.connect();
  try {
    return (await client.query<Row>(statement, values)).rows;
  } finally {
    await client.end();
  }
}
