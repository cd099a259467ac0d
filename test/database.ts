import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { openEmbeddedPostgres } from "../server/platform/postgres/embedded.ts";

export interface TestDatabase extends AsyncDisposable {
  url: string;
}

/**
 * An empty database: one of its own on the server of TEST_DATABASE_URL, or else an embedded server
 * in a temporary folder, whose data need not survive. Disposed, nothing is left of it.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const external = process.env["TEST_DATABASE_URL"];
  return external ? openExternal(external) : openEmbedded();
}

async function openEmbedded(): Promise<TestDatabase> {
  await using opened = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), "avow-test-"));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const log = { warn: (...told: unknown[]) => process.stderr.write(`${JSON.stringify(told)}\n`) };
  const options = { dataDir, log, durable: false, connectionsMax: 100 };
  const { url } = opened.use(await openEmbeddedPostgres(options));
  const owned = opened.move();
  return { url, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function openExternal(server: string): Promise<TestDatabase> {
  const name = `avow_test_${randomBytes(6).toString("hex")}`;
  await query(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    [Symbol.asyncDispose]: () => query(server, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

async function query(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
