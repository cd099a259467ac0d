// npm run bench:archive: bytes, rates and latency of archived months beside the database.
import { openArchive } from "../../../server/modules/consents/archive/open.ts";
import { runMonths } from "../../../server/modules/consents/months/jobs.ts";
import { restoreMonth } from "../../../server/modules/consents/months/restore.ts";
import { openDataDatabase } from "../../../server/platform/db/open.ts";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { toTable } from "../../instance/table.ts";
import { readNumbers } from "../measure/arguments.ts";
import { ask, openDatabases } from "../measure/database.ts";
import { readFacts, right, spreadOf, toMs, toRate, toRatio } from "../measure/report.ts";
import { type Bench, runBench } from "../measure/run.ts";
import { openAvow } from "../measure/service.ts";
import { type Site, setUpShop } from "../measure/site.ts";

const help = `Usage: npm run bench:archive -- [--records N] [--reads R]

Fills two old months of one project with N consents each, archives one of them to a folder, and compares: bytes
of a record in the database and in its file, the latency of the history of a token and of a page of the
registry in either month, in turns, and records per second of archiving and restoring.

  --records N   consents of a month (default: 200000)
  --reads R     reads of each kind in each month (default: 200)
  -h, --help    print this text
`;
const options = {
  records: { default: 200_000, min: 1_000, max: 50_000_000 },
  reads: { default: 200, min: 10, max: 10_000 },
};
const BATCH = 50_000;
const PAGE = 50;
const READS_MS = 11 * 60_000;
const log = { info: () => undefined, warn: console.error, error: console.error };
const months = { archived: "2024-03-01", live: "2024-04-01" } as const;
type Place = keyof typeof months;

type Options = Record<keyof typeof options, number>;

async function main({ folder, opened }: Bench, given: Options): Promise<number> {
  const facts = await readFacts();
  const databases = opened.use(await openDatabases(folder));
  const url = await databases.create("bench_archive");
  const avow = opened.use(await openAvow(folder, url));
  const site = await setUpShop(avow.url);
  await fill(site, url, given.records);
  const bytes = await readBytes(url, given.records);

  const database = openDataDatabase({ url, poolMax: 4, queueMax: 100, log });
  opened.defer(() => database.destroy());
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const config = { kind: "folder", root: join(folder, "avow", "archive") } as const;
  const { objects, attach } = opened.use(await openArchive({ config, now, log }));
  const data = attach(database);
  const today = now();
  // The month before the live one is the last that is due.
  const afterMonths = today.getUTCFullYear() * 12 + today.getUTCMonth() - (2024 * 12 + 3);
  const run = () =>
    timed(() => runMonths({ data, objects, now, log, afterMonths }, new AbortController().signal));
  process.stderr.write("  archiving …\n");
  const copySeconds = await run();
  aheadMs += READS_MS;
  const moveSeconds = await run();
  const [file] = await ask<{ rows: number; bytes: number }>(
    url,
    "SELECT sum(rows)::float8 AS rows, sum(bytes)::float8 AS bytes FROM archived_objects WHERE moved_at IS NOT NULL",
  );
  if (file?.rows !== given.records) throw new Error(`${file?.rows ?? 0} records were archived.`);
  await ask(url, "VACUUM ANALYZE consents");
  const latencies = await readInTurns(site, given);
  process.stderr.write("  restoring …\n");
  const until = new Date(now().getTime() + 86_400_000);
  const restoreSeconds = await timed(() => restoreMonth({ data, now }, months.archived, { until }));

  console.log(`\n${toLatencyTable(latencies)}\n\n  ${facts}`);
  const perFile = (file.bytes / file.rows).toFixed(0);
  console.log(
    `  Bytes of a record: ${bytes.records} in the database with indexes (and ${bytes.states} of its state, ${bytes.salts} of its place in the log, which stay), ${perFile} in Parquet.`,
  );
  const rate = (seconds: number) => toRate(given.records / seconds);
  console.log(
    `  Records/s: ${rate(copySeconds)} copied to files, ${rate(moveSeconds)} deleted from the database, ${rate(restoreSeconds)} restored.\n`,
  );
  return 0;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}

/** Adds records of both months with their states, as if each token had answered once. */
async function fill(site: Site, url: string, count: number): Promise<void> {
  const client = site.client.withToken(undefined);
  const { projectId, identifier, consents } = site;
  for (const json of consents)
    await client.send(`/v1/app/consents/${projectId}/cookies/${identifier}`, { json });
  for (const month of Object.values(months)) {
    const start = Date.parse(`${month}T00:00:00Z`);
    const [, low, high] = [month, start, Date.UTC(2024, new Date(start).getUTCMonth() + 1, 1)];
    await ask(
      url,
      `CREATE TABLE consents_${month.slice(0, 7).replace("-", "_")} PARTITION OF consents FOR VALUES FROM ('${toId(low, 0).replace("-7000-8000-", "-0000-0000-")}') TO ('${toId(high, 0).replace("-7000-8000-", "-0000-0000-")}')`,
    );
    for (let from = 1; from <= count; from += BATCH) {
      process.stderr.write(`  filling ${month.slice(0, 7)}, ${from.toLocaleString("en")} …\n`);
      const values = [projectId, from, Math.min(from + BATCH - 1, count), start, month, count];
      await ask(url, statement, values);
    }
  }
  await ask(url, "VACUUM ANALYZE consents");
  await ask(url, "VACUUM ANALYZE consent_states");
}

function toId(ms: number, n: number): string {
  const hex = ms.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${n.toString(16).padStart(12, "0")}`;
}

/** 25 days in the order of the numbers. Leaves are those of no other record. */
const statement = `
  WITH patterns AS (
    SELECT *, row_number() OVER (ORDER BY id) - 1 AS pattern, count(*) OVER () AS patterns
    FROM (SELECT * FROM consents WHERE project_id = $1 ORDER BY id DESC LIMIT 4) c
  ), made AS (
    SELECT p.*, n, ($4::bigint + n * 2160000000 / $6::bigint) AS ms FROM generate_series($2::bigint, $3::bigint) n
    JOIN patterns p ON pattern = n % patterns
  ), rows AS (
    SELECT *, (lpad(to_hex(ms), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid AS own FROM made
  ), states AS (
    INSERT INTO consent_states (project_id, token, identifier, collection, choice, since, consent_id, version,
      first_seen_at, consents)
    SELECT project_id, 'bench-' || md5($5 || n), identifier, collection, choice, to_timestamp(ms / 1000.0), own,
      version, to_timestamp(ms / 1000.0), 1 FROM rows
  ), salts AS (
    INSERT INTO consent_salts (project_id, consent_id, leaf, salt)
    SELECT project_id, own, 1000000000 + n + CASE WHEN $5 = '2024-03-01' THEN 0 ELSE 1000000000 END,
      sha256(own::text::bytea) FROM rows
  )
  INSERT INTO consents (project_id, id, token, collection, identifier, accept, choice, answers, preferences,
    value, language, url, client_at, country, user_agent, gpc, version, warnings, created_at)
  SELECT project_id, own, 'bench-' || md5($5 || n), collection, identifier, accept, choice, answers, preferences,
    value, language, url, client_at, country, user_agent, gpc, version, warnings, to_timestamp(ms / 1000.0)
  FROM rows`;

async function readBytes(url: string, count: number) {
  const [row] = await ask<Record<"records" | "states" | "salts", number>>(
    url,
    `SELECT pg_total_relation_size('consents_2024_03')::float8 AS records,
      pg_total_relation_size('consent_states')::float8 / 2 AS states,
      pg_total_relation_size('consent_salts')::float8 / 2 AS salts`,
  );
  const each = (bytes = 0) => (bytes / count).toFixed(0);
  return { records: each(row?.records), states: each(row?.states), salts: each(row?.salts) };
}

type Latencies = Record<"history" | "page", Record<Place, number[]>>;

/** Reads both months alternately, at the same random places. */
async function readInTurns(site: Site, { records, reads }: Options): Promise<Latencies> {
  const { projectId } = site;
  const client = site.client.withToken(site.token);
  const found: Latencies = {
    history: { archived: [], live: [] },
    page: { archived: [], live: [] },
  };
  for (let read = 0; read < reads; read += 1) {
    // A page of the live month must not reach into the archived one.
    const n = PAGE + Math.floor(Math.random() * (records - PAGE));
    for (const place of ["archived", "live"] as const) {
      const month = months[place];
      const token = `bench-${createHash("md5").update(`${month}${n}`).digest("hex")}`;
      const base = `/v1/app/consents/${projectId}`;
      const at = Date.parse(`${month}T00:00:00Z`) + Math.floor((n * 2_160_000_000) / records);
      const cursor = Buffer.from(JSON.stringify([toId(at, n)])).toString("base64url");
      const hrefs = {
        history: `${base}?token=${token}&cursor=`,
        page: `${base}?perPage=${PAGE}&cursor=${cursor}`,
      };
      for (const kind of ["history", "page"] as const) {
        const began = performance.now();
        const list = await client.send<unknown[]>(hrefs[kind]);
        found[kind][place].push(performance.now() - began);
        if (list.length === 0) throw new Error(`${hrefs[kind]} returned nothing.`);
      }
    }
  }
  return found;
}

function toLatencyTable(latencies: Latencies): string {
  const rows = (["history", "page"] as const).map((kind) => {
    const { archived, live } = latencies[kind];
    const ratios = archived.map((ms, n) => ms / (live[n] ?? Number.NaN));
    return [
      kind === "history" ? "history of a token" : "page of 50 records",
      ...[spreadOf(live), spreadOf(archived)].map(({ median }) => toMs(median)),
      toMs(archived.toSorted((a, b) => a - b)[Math.floor(archived.length * 0.95)] ?? Number.NaN),
      toRatio(spreadOf(ratios).median),
    ];
  });
  const titles = ["live, ms (median)", "archived, ms", "archived, p95 ms", "ratio"];
  return toTable([{ title: "Read" }, ...titles.map(right)], rows);
}

const parsed = readNumbers({
  args: process.argv.slice(2),
  command: "bench:archive",
  help,
  options,
});
process.exitCode =
  "status" in parsed ? parsed.status : await runBench((bench) => main(bench, parsed));
