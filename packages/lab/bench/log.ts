// npm run bench:log: sequencing rate of the log, and the latency of proofs by its size.
import { join } from "node:path";
import { toTable } from "../instance/table.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { parseTlogProof } from "@avow/verifier/tlog-proof";
import { parseVerifierKey } from "@avow/verifier/keys";
import { verifyBundle } from "@avow/verifier";
import { readNumbers } from "./measure/arguments.ts";
import { ask, openDatabases } from "./measure/database.ts";
import { setUpFilled } from "./export/fill.ts";
import { growTree } from "./log/grow.ts";
import { listBackends, readProcessorSeconds, secondsSince } from "./measure/processor.ts";
import { readFacts, right, spreadOf, toMs, toRate } from "./measure/report.ts";
import { type Bench, runBench } from "./measure/run.ts";
import { type BenchService, openAvow } from "./measure/service.ts";
import type { Site } from "./measure/site.ts";
import { readMemory } from "./measure/steady.ts";

const POLL_MS = 50;
const PROOFS = 300;
const help = `Usage: npm run bench:log -- [--backlog N] [--leaves M]

Creates a backlog of N consents of six vendors while the service is stopped, starts it, and reports the
rate of sequencing them into the signed tree, with the processor time of each. Then grows the tree to M
leaves (in powers of ten, with random entries), and reports the latency of a consent's proof at each
size, the number of its hashes, and the disk space of a leaf: 10 million take about 700 MB and some
minutes. The verifier checks a proof of each size. Stops every process and removes every file at the end.

  --backlog N   consents in the backlog (default: 200000)
  --leaves M    final leaves of the tree (default: 10000000)
  -h, --help    print this text
`;
const options = {
  backlog: { default: 200_000, min: 1_000, max: 10_000_000 },
  leaves: { default: 10_000_000, min: 1_000, max: 100_000_000 },
};
type Options = Record<keyof typeof options, number>;

const parsed = readNumbers({ args: process.argv.slice(2), command: "bench:log", help, options });
process.exitCode =
  "status" in parsed ? parsed.status : await runBench((bench) => main(bench, parsed));

async function main({ folder, opened }: Bench, given: Options): Promise<number> {
  const facts = await readFacts();
  const databases = opened.use(await openDatabases(folder));
  const databaseUrl = await databases.create("bench_log");
  const site = await setUpFilled(folder, databaseUrl, given.backlog);
  const avow = opened.use(await openAvow(folder, databaseUrl));
  const drained = await measureDrain(avow, databaseUrl, given.backlog);
  console.log(`\n${toDrainTable(drained)}\n`);
  const proofs = [];
  const dataDir = join(folder, "avow");
  for (let leaves = given.backlog; ; leaves = Math.min(toNextPower(leaves), given.leaves)) {
    process.stderr.write(`  proofs in a tree of ${leaves.toLocaleString("en")} leaves …\n`);
    await growTree({ databaseUrl, dataDir }, leaves);
    proofs.push({
      leaves: await readSize(databaseUrl),
      ...(await measureProofs(avow, site, databaseUrl)),
    });
    if (leaves >= given.leaves) break;
  }
  console.log(`${toProofTable(proofs)}\n\n  ${facts}`);
  console.log(`  ${await describeStorage(databaseUrl, given.backlog)}\n`);
  return 0;
}

/** The power of ten above a number. */
function toNextPower(leaves: number): number {
  return 10 ** (Math.floor(Math.log10(leaves)) + 1);
}

interface Drained {
  count: number;
  seconds: number;
  avowSeconds: number;
  postgresSeconds: number;
  memoryMax: number;
}

async function measureDrain(
  avow: BenchService,
  databaseUrl: string,
  backlog: number,
): Promise<Drained> {
  const before = await readSize(databaseUrl);
  const { length: waiting } = await ask(
    databaseUrl,
    `INSERT INTO consent_queue
    SELECT project_id, id FROM consents c
    WHERE NOT EXISTS (SELECT FROM consent_salts s WHERE s.project_id = c.project_id AND s.consent_id = c.id)
    LIMIT $1 RETURNING 1`,
    [backlog],
  );
  const startedAt = performance.now();
  const pids = await listBackends(databaseUrl);
  const [avowBefore, postgresBefore] = [
    await readProcessorSeconds([avow.pid]),
    await readProcessorSeconds(pids),
  ];
  let [size, memoryMax] = [before, 0];
  while (size < before + waiting) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    size = await readSize(databaseUrl);
    memoryMax = Math.max(memoryMax, await readMemory(avow.pid));
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const avowSeconds = secondsSince(avowBefore, await readProcessorSeconds([avow.pid]));
  const postgresSeconds = secondsSince(postgresBefore, await readProcessorSeconds(pids));
  return { count: size - before, seconds, avowSeconds, postgresSeconds, memoryMax };
}

async function readSize(databaseUrl: string): Promise<number> {
  const rows = await ask<{ size: string }>(databaseUrl, "SELECT size FROM log_heads");
  return Number(rows[0]?.size ?? 0);
}

function toDrainTable(drained: Drained): string {
  const { count, seconds, avowSeconds, postgresSeconds, memoryMax } = drained;
  const each = (total: number) => ((total / count) * 1e6).toFixed(1);
  const titles = [
    "Leaves",
    "Seconds",
    "Leaves/s",
    "Avow, µs each",
    "PostgreSQL, µs each",
    "MiB at most",
  ];
  return toTable(titles.map(right), [
    [
      count.toLocaleString("en"),
      seconds.toFixed(1),
      toRate(count / seconds),
      each(avowSeconds),
      each(postgresSeconds),
      memoryMax.toFixed(0),
    ],
  ]);
}

interface Proofs {
  times: number[];
  /** Number of hashes from the leaf to the root, of the longest proof. */
  hashes: number;
}

/** Requests the proofs of some consents sequentially. Each must be for a tree of that size. */
async function measureProofs(
  { url }: BenchService,
  { token }: Site,
  databaseUrl: string,
): Promise<Proofs> {
  const rows = await ask<{ id: string }>(
    databaseUrl,
    "SELECT consent_id AS id FROM consent_salts ORDER BY md5(consent_id::text) LIMIT $1",
    [PROOFS],
  );
  const times: number[] = [];
  let [hashes, last] = [0, ""];
  for (const { id } of rows) {
    const startedAt = performance.now();
    const answer = await fetch(hrefOf(url, paths.proof, { consentId: id }), {
      headers: { authorization: `Bearer ${token}` },
    });
    last = await answer.text();
    if (answer.status !== 200) throw new Error(`${answer.status}: ${last}`);
    times.push(performance.now() - startedAt);
    const { consent } = JSON.parse(last) as { consent: { proof: string } };
    hashes = Math.max(hashes, parseTlogProof(consent.proof).path.length);
  }
  await assertProven(last);
  return { times, hashes };
}

/** Checks that the measured proof is valid, with the key in it. */
async function assertProven(bundle: string): Promise<void> {
  const { keys } = JSON.parse(bundle) as { keys: string[] };
  const trustedKeys = await Promise.all(keys.map(parseVerifierKey));
  const { verdict, checks } = await verifyBundle(bundle, { trustedKeys });
  if (verdict !== "proven") throw new Error(`The proof is invalid: ${JSON.stringify(checks)}`);
}

function toProofTable(proofs: readonly ({ leaves: number } & Proofs)[]): string {
  const titles = [
    "Leaves in the tree",
    "… as the first",
    "Hashes of a proof",
    "log2 of the leaves",
    "Proof ms: median",
    "p99",
    "… as the first",
  ];
  const [first] = proofs;
  return toTable(
    titles.map(right),
    proofs.map(({ leaves, times, hashes }) => {
      const sorted = times.toSorted((a, b) => a - b);
      const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
      const { median } = spreadOf(times);
      const before = first ? spreadOf(first.times).median : Number.NaN;
      return [
        leaves.toLocaleString("en"),
        `${(leaves / (first?.leaves ?? leaves)).toFixed(1)} ×`,
        String(hashes),
        Math.log2(leaves).toFixed(1),
        toMs(median),
        toMs(p99),
        `${(median / before).toFixed(2)} ×`,
      ];
    }),
  );
}

async function describeStorage(databaseUrl: string, consents: number): Promise<string> {
  const [row] = await ask<{ tiles: string; salts: string; size: string }>(
    databaseUrl,
    `SELECT pg_total_relation_size('log_tiles') AS tiles, pg_total_relation_size('consent_salts') AS salts,
      (SELECT size FROM log_heads) AS size`,
  );
  const perLeaf = Number(row?.tiles) / Number(row?.size);
  const perSalt = Number(row?.salts) / consents;
  return `On the disk: ${perLeaf.toFixed(0)} bytes of tiles for each leaf, ${perSalt.toFixed(0)} for the salt and place of each consent.`;
}
