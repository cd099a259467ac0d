import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Client, createClient } from "../../instance/requests.ts";
import { ask, openDatabases } from "../measure/database.ts";
import { openAvow } from "../measure/service.ts";
import { readBenchShop } from "../measure/site.ts";
import { readMemory } from "../measure/steady.ts";
import { toShares } from "./answers.ts";
import { assertAlike, countRecords } from "./check.ts";
import { type Filling, fill, prepareFilling } from "./fill.ts";
import { type Row, measureAll } from "./measures.ts";
import type { Options } from "./options.ts";
import { type Project, setUpProjects } from "./projects.ts";
import { collectSamples } from "./samples.ts";
import { openTarget } from "./targets.ts";

/** The name of the filled database. */
export const DATABASE = "bench_scale";
const HALF_YEAR_MS = 183 * 86_400_000;
/** Consents of each measured project at size 0, so that pages are full. */
export const FIRST_CONSENTS = 2_000;
const FIRST_HEAVY = 200;
const HEAVY_MAX = 5_000;
const HEAVIES = 20;

/** A filled site, as stored in its folder. */
export interface FilledDatabase {
  account: { email: string; password: string };
  projects: readonly Project[];
  /** The number of consents requested so far. */
  size: number;
  fills: number;
  /** Half a year before the first fill. */
  at: string;
}

/** The results of one size. */
export interface Stage {
  size: number;
  projects: number;
  /** The number of consents at the start of the measurement. */
  records: number;
  rows: readonly Row[];
  memoryMiB: number;
  diskBytes: number;
}

function logProgress(what: string): void {
  process.stderr.write(`  ${what} …\n`);
}

/** The number of the medium project, from 1. */
function toMiddle(projects: number): number {
  return Math.ceil(projects / 2);
}

/** The measured projects, the largest and the medium one, with their titles. */
function listMeasured({ projects }: Pick<FilledDatabase, "projects">) {
  return [1, toMiddle(projects.length)].flatMap((number, at) => {
    const project = projects[number - 1];
    return project ? [{ project, number, title: at === 0 ? "biggest" : "middle" }] : [];
  });
}

/** Creates the database in `folder` with the data of size 0. */
export async function setUp(
  folder: string,
  options: Pick<Options, "projects">,
): Promise<FilledDatabase> {
  await mkdir(folder, { recursive: true });
  await using databases = await openDatabases(folder);
  const url = await databases.create(DATABASE);
  const password = randomBytes(24).toString("base64url");
  const account = { email: "bench@avow.example", password };
  const { projects, samples } = await setUpSamples(folder, {
    url,
    account,
    count: options.projects,
  });
  await prepareFilling(url, projects, samples);
  const middle = toMiddle(projects.length);
  const shares = projects.map((_, at) => (at === 0 || at + 1 === middle ? 1 : 0));
  const heavies = [1, 1, middle, middle].map((project) => ({ project, records: FIRST_HEAVY }));
  await fill(url, { fill: 0, consents: 2 * FIRST_CONSENTS, shares, heavies });
  const at = new Date(Date.now() - HALF_YEAR_MS).toISOString();
  const filled = { account, projects, size: 0, fills: 1, at };
  await writeFilled(folder, filled);
  return filled;
}

async function setUpSamples(
  folder: string,
  given: { url: string; account: FilledDatabase["account"]; count: number },
) {
  const { url, account, count } = given;
  await using avow = await openAvow(folder, url);
  const anyone = createClient(avow.url);
  const { token } = await anyone.send<{ token: string }>("/v1/auth/local/signup", {
    json: account,
  });
  const client = anyone.withToken(token);
  logProgress(`publishing ${count} projects`);
  const projects = await setUpProjects(client, await readBenchShop(), count);
  logProgress("collecting what generated visitors are copies of");
  return { projects, samples: await collectSamples(client, projects) };
}

/** Reads the data that an earlier run kept in `folder`. */
export async function readDatabase(folder: string): Promise<FilledDatabase> {
  const text = await readFile(toFile(folder), "utf8").catch(() => {
    throw new Error(`--reuse: ${folder} contains no kept database.`);
  });
  return JSON.parse(text) as FilledDatabase;
}

async function writeFilled(folder: string, filled: FilledDatabase): Promise<void> {
  await writeFile(toFile(folder), JSON.stringify(filled));
}

function toFile(folder: string): string {
  return join(resolve(folder), "filled.json");
}

/** Fills the database to `size`; returns the updated site. */
export async function growTo(
  folder: string,
  filled: FilledDatabase,
  size: number,
): Promise<FilledDatabase> {
  const consents = size - filled.size;
  if (consents <= 0) return filled;
  await using databases = await openDatabases(folder);
  const url = databases.toUrl(DATABASE);
  const shares = toShares(filled.projects.length);
  const heavies = toHeavies(consents, filled.projects.length);
  const filling: Filling = { fill: filled.fills, consents, shares, heavies };
  const startedAt = performance.now();
  let loggedAt = startedAt;
  await fill(url, filling, (written) => {
    const now = performance.now();
    if (now - loggedAt < 5_000 && written < consents) return;
    loggedAt = now;
    const each = (now - startedAt) / 1_000 / written;
    const left = Math.max(0, Math.round((consents - written) * each));
    const [done, of] = [written, consents].map((count) => count.toLocaleString("en"));
    logProgress(
      `filled ${done} of ${of}, ${Math.round(1 / each).toLocaleString("en")}/s, ${left} s left`,
    );
  });
  const grown = { ...filled, size, fills: filled.fills + 1 };
  await writeFilled(folder, grown);
  return grown;
}

/** One consent in a hundred is of a visitor with up to thousands, in the largest projects and a medium one. */
function toHeavies(consents: number, projects: number): Filling["heavies"] {
  const most = Math.min(HEAVY_MAX, Math.floor(consents / 100 / HEAVIES / 4) * 4);
  if (most < 8) return [];
  return Array.from({ length: HEAVIES }, (_, at) => {
    const greatest = Math.min(projects, Math.max(1, at - 2));
    return { project: at === HEAVIES - 1 ? toMiddle(projects) : greatest, records: most };
  });
}

/** Runs all measurements on a freshly started PostgreSQL and service. */
export async function measureStage(
  folder: string,
  filled: FilledDatabase,
  options: Options,
): Promise<Stage> {
  logProgress("tidying up");
  await vacuum(folder);
  await using databases = await openDatabases(folder);
  const databaseUrl = databases.toUrl(DATABASE);
  const records = await countRecords(databaseUrl);
  const [disk] = await ask<{ bytes: number }>(
    databaseUrl,
    "SELECT pg_database_size(current_database())::float8 AS bytes",
  );
  await using avow = await openAvow(folder, databaseUrl);
  const client = createClient(avow.url);
  const json = { username: filled.account.email, password: filled.account.password };
  const { token } = await client.send<{ token: string }>("/v1/auth/local/signin", { json });
  const reader = client.withToken(token);
  const targets = await openTargets(reader, filled, databaseUrl);
  const startedAt = new Date();
  const rows = await measureAll(targets, { ...options, base: avow.url, token });
  const memoryMiB = await readMemory(avow.pid);
  await removeSince(databaseUrl, filled, startedAt);
  const { size, projects } = filled;
  const diskBytes = disk?.bytes ?? Number.NaN;
  return { size, projects: projects.length, records, rows, memoryMiB, diskBytes };
}

async function openTargets(client: Client, filled: FilledDatabase, databaseUrl: string) {
  const targets = [];
  for (const { title, project, number } of listMeasured(filled)) {
    const compared = await assertAlike(client, {
      databaseUrl,
      fill: filled.fills - 1,
      project,
      number,
    });
    logProgress(
      `${compared} generated visitors of the ${title} project return the same responses as collected ones`,
    );
    targets.push(
      await openTarget(client, { title, project, databaseUrl, at: new Date(filled.at) }),
    );
  }
  return targets;
}

/** Stops PostgreSQL afterwards, so that no pending writes disturb the measurement. */
export async function vacuum(folder: string): Promise<void> {
  await using databases = await openDatabases(folder);
  await ask(databases.toUrl(DATABASE), "VACUUM (ANALYZE)");
}

/** Deletes consents collected since a time, so that the next size is exact. */
async function removeSince(
  databaseUrl: string,
  filled: FilledDatabase,
  since: Date,
): Promise<void> {
  const hex = since.getTime().toString(16).padStart(12, "0");
  const first = `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
  const ids = listMeasured(filled).map(({ project }) => project.id);
  for (const [table, column] of [
    ["consent_keys", "consent_id"],
    ["consent_states", "consent_id"],
    ["consents", "id"],
  ])
    await ask(databaseUrl, `DELETE FROM ${table} WHERE project_id = ANY ($1) AND ${column} >= $2`, [
      ids,
      first,
    ]);
}
