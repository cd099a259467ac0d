import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { createMonthPartitions } from "../../../server/modules/consents/records/months-store.ts";
import { openDataDatabase } from "../../../server/platform/db/open.ts";
import { HEAVY, patterns, toBounds } from "./answers.ts";
import type { Project } from "./projects.ts";
import type { Sample } from "./samples.ts";

const DAY_MS = 86_400_000;
const SPAN_DAYS = 365;
/** Days after which a returning visitor answers again, before the answer expires. */
const AGAIN_DAYS = 30;
/** Retention of idempotency keys of batches. */
const KEY_DAYS = 90;
/** One in this number of visitors answers a second form. */
const OTHER_FORM = 8;
const WINDOW_RECORDS = 80_000;
/** Number of connections, each of which writes a part of a window. */
const PARTS = 2;
/** Size of the range of visitor numbers of a fill. */
const FILL_VISITORS = 1_000_000_000;

/** Parameters of the generated data. */
export interface Filling {
  /** The number of the fill in its database, from 0. */
  fill: number;
  /** Approximate number of consents. */
  consents: number;
  /** The share of visitors of each project. */
  shares: readonly number[];
  /** Visitors with many records. */
  heavies: readonly { project: number; records: number }[];
}

/** Creates the tables of the generator, and the templates from the samples. */
export async function prepareFilling(
  databaseUrl: string,
  projects: readonly Project[],
  samples: readonly Sample[],
): Promise<void> {
  const client = await openClient(databaseUrl);
  try {
    await client.query(await readSql("schema.sql"));
    const forms = projects.flatMap(({ id, forms: own }, at) =>
      own.map(({ collection, identifier }, form) => {
        return { project: at + 1, form, project_id: id, collection, identifier };
      }),
    );
    for (const [table, rows] of Object.entries({ forms, samples }))
      await client.query(
        `INSERT INTO bench.${table} SELECT * FROM json_populate_recordset(NULL::bench.${table}, $1::json)`,
        [JSON.stringify(rows)],
      );
    await client.query("ANALYZE bench.samples, bench.forms, consents, consent_states, past_states");
    await client.query(await readSql("templates.sql"));
    await assertTemplates(client, samples);
    await client.query("ANALYZE bench.templates");
  } finally {
    await client.end();
  }
}

/** Checks that every step of every sample has a template, and that no answer is older than a template can express. */
async function assertTemplates(client: Client, samples: readonly Sample[]): Promise<void> {
  const { rows } = await client.query<{ templates: number; far: string | null }>(`
    SELECT count(*)::int AS templates, max(items) FILTER (WHERE items ~ '@(id|at)([3-9]|\\d\\d)') AS far
    FROM bench.templates`);
  const { templates = 0, far = null } = rows[0] ?? {};
  const steps = samples.reduce(
    (sum, { pattern }) => sum + (patterns[pattern]?.answers.length ?? 8),
    0,
  );
  if (templates !== steps) throw new Error(`${steps} answers gave ${templates} templates.`);
  if (far !== null) throw new Error(`An answer is older than the previous two records: ${far}`);
}

/**
 * Generates consents of the last twelve months and everything that the service stores with them; returns their number.
 * `onProgress` is called with the number of written consents.
 */
export async function fill(
  databaseUrl: string,
  filling: Filling,
  onProgress: (written: number) => void = () => undefined,
): Promise<number> {
  await using opened = new AsyncDisposableStack();
  const clients: Client[] = [];
  for (let part = 0; part < PARTS; part++) {
    const client = await openClient(databaseUrl);
    opened.defer(() => client.end());
    clients.push(client);
  }
  const [first] = clients;
  if (!first) return 0;
  const visitors = toVisitors(filling);
  await makeMonths(databaseUrl);
  await insertFilling(first, filling, visitors);
  const text = await readSql("window.sql");
  const windows = Math.ceil(filling.consents / WINDOW_RECORDS);
  let written = 0;
  for (let window = 0; window < windows; window++) {
    const bounds = [window, window + 1].map((at) => Math.floor((visitors * at) / windows));
    const done = await Promise.all(
      clients.map(async (client, part) => {
        const values = [filling.fill, ...bounds, part, PARTS];
        return (await client.query<{ records: number }>(text, values)).rows[0]?.records ?? 0;
      }),
    );
    written += done.reduce((sum, records) => sum + records, 0);
    onProgress(written);
  }
  return written;
}

/** The number of visitors for the requested number of records. */
function toVisitors({ consents, heavies }: Filling): number {
  const ofHeavies = heavies.reduce((sum, { records }) => sum + records, 0);
  const records = patterns.map(({ answers, share }) =>
    answers.reduce((sum, _, step) => sum + share * (1 - (step * AGAIN_DAYS) / SPAN_DAYS), 0),
  );
  const each = records.reduce((sum, part) => sum + part, 0) * (1 + 1 / OTHER_FORM);
  return Math.max(1, Math.round((consents - ofHeavies) / each));
}

async function insertFilling(client: Client, filling: Filling, visitors: number): Promise<void> {
  await client.query(
    `INSERT INTO bench.fills (fill, base, from_ms, span_ms, visitors, shift, shares, patterns, lengths, heavy,
      key_days) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      filling.fill,
      filling.fill * FILL_VISITORS,
      toStart(new Date()),
      SPAN_DAYS * DAY_MS,
      visitors,
      Math.max(1, Math.round((visitors * AGAIN_DAYS) / SPAN_DAYS)),
      toBounds(filling.shares),
      toBounds(patterns.map(({ share }) => share)),
      patterns.map(({ answers }) => answers.length),
      HEAVY,
      KEY_DAYS,
    ],
  );
  const heavies = filling.heavies.map((heavy, no) => ({ fill: filling.fill, no, ...heavy }));
  await client.query(
    "INSERT INTO bench.heavies SELECT * FROM json_populate_recordset(NULL::bench.heavies, $1::json)",
    [JSON.stringify(heavies)],
  );
}

/** Creates the partitions of the filled months. */
async function makeMonths(databaseUrl: string): Promise<void> {
  const log = { warn: (...args: unknown[]) => console.error(...args) };
  const db = openDataDatabase({ url: databaseUrl, poolMax: 1, queueMax: 1, log });
  try {
    const now = new Date();
    await createMonthPartitions(db, new Date(toStart(now)), now);
  } finally {
    await db.destroy();
  }
}

/** The end of the data, a day ago, so that no second form is answered in the future. */
function toStart(now: Date): number {
  return now.getTime() - (SPAN_DAYS + 1) * DAY_MS;
}

async function openClient(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString, application_name: "bench" });
  await client.connect();
  await client.query("SET synchronous_commit = off; SET work_mem = '128MB'; SET jit = off");
  return client;
}

function readSql(name: string): Promise<string> {
  return readFile(join(import.meta.dirname, name), "utf8");
}
