import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { hrefOf, paths } from "@avow/contract/urls";
import { openTestDatabase } from "../database.ts";
import { askJson } from "../faults/durability/http.ts";
import { type Site, openSite } from "../faults/durability/site.ts";
import { type AnotherService, openAnotherService } from "../interface/another-service.ts";
import { waitFor } from "../faults/lifecycle/process.ts";

export const origin = "consent.example/log";

export interface CollectedConsent {
  consentId: string;
  token: string;
}

/** A service with its own keys and database, for tests to tamper with, rewrite and rotate. */
export interface World extends AsyncDisposable {
  dataDir: string;
  databaseUrl: string;
  /** The path of a file in the test's folder. */
  file: (name: string) => string;
  /** The environment of commands on the service's machine. */
  env: Record<string, string>;
  /** Starts the service, on the database or on a copy of it. */
  open: (databaseUrl?: string, env?: Record<string, string>) => Promise<AnotherService>;
  /** Copies the database, which must have no open connections. */
  copy: () => Promise<string>;
}

async function openWorld(): Promise<World> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "avow-log-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, "data");
  const { url: databaseUrl } = opened.use(await openTestDatabase());
  const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, EVIDENCE_LOG_ORIGIN: origin };
  const owned = opened.move();
  return {
    dataDir,
    databaseUrl,
    env,
    file: (name) => join(folder, name),
    open: (url = databaseUrl, more = {}) =>
      openAnotherService(url, { ...env, DATABASE_URL: url, ...more }, () => new Date()),
    async copy() {
      const copied = owned.use(await openTestDatabase({ copyOf: databaseUrl }));
      return copied.url;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Runs a statement with the rights of the database's owner. */
export async function query<Row extends object>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Collects consents of `count` visitors, and waits until all are in the log. */
export async function fill(
  { address, id, identifiers }: Site,
  count: number,
): Promise<CollectedConsent[]> {
  const before = sizeOf(await readCheckpoint(address));
  const json = Array.from({ length: count }, (_, at) => ({
    id: crypto.randomUUID(),
    collection: "cookies",
    identifier: identifiers.cookies,
    accept: at % 2 === 0,
  }));
  const url = address + hrefOf("", paths.collectBatch, { projectId: id });
  const collected = await askJson<CollectedConsent[]>(url, { json });
  await waitFor("every entry in the log", async () => {
    return sizeOf(await readCheckpoint(address)) >= before + count || undefined;
  });
  return collected;
}

export async function readCheckpoint(address: string): Promise<string> {
  return waitFor("a checkpoint", async () => {
    const answer = await fetch(`${address}/log/checkpoint`);
    return answer.ok ? answer.text() : undefined;
  });
}

export function sizeOf(checkpoint: string): number {
  return Number(checkpoint.split("\n")[1]);
}

/** The verifier keys that the log publishes. */
export async function readKeys(address: string): Promise<string[]> {
  return (await askJson<{ keys: string[] }>(`${address}/log/keys`)).keys;
}

/**
 * A service with a published site and `first` consents under a kept checkpoint, then `more` consents after
 * it.
 */
export async function openFilled(first: number, more: number) {
  const world = await openWorld();
  await using service = await world.open();
  const site = await openSite(service.url);
  const early = await fill(site, first);
  const kept = await readCheckpoint(service.url);
  await writeFile(world.file("kept.txt"), kept);
  if (more > 0) await fill(site, more);
  const [key = ""] = await readKeys(service.url);
  assert.ok(key.startsWith(`${origin}+`));
  assert.match(await readFile(join(world.dataDir, "log.keys"), "utf8"), /^[A-Za-z0-9+/]{43}=\n$/);
  return { world, site, early, kept, key };
}
