// npm run bench:peer: comparison with the best-known open-source consent service.
import { join } from "node:path";
import { toTable } from "../instance/table.ts";
import { readNumbers } from "./measure/arguments.ts";
import { openChild } from "./measure/children.ts";
import { type Databases, openDatabases } from "./measure/database.ts";
import { type Measure, measure } from "./measure/load.ts";
import { toAvowParty } from "./peer/avow.ts";
import { toC15tParty } from "./peer/c15t.ts";
import { installPeer } from "./peer/install.ts";
import { type Kind, type Party, kinds } from "./peer/party.ts";
import {
  readFacts,
  right,
  spreadOf,
  printFailures,
  toMs,
  toRate,
  toRatio,
} from "./measure/report.ts";
import { type Bench, runBench } from "./measure/run.ts";
import { openAvow } from "./measure/service.ts";
import { setUpShop } from "./measure/site.ts";

const POOL_MAX = 10;
/** Visitors that exist at the first stage, for reads. */
const FIRST_VISITORS = 100;
const help = `Usage: npm run bench:peer -- [--seconds N] [--rounds R] [--connections C] [--stored S]

Installs @c15t/backend from npm in a temporary folder and compares: collecting a consent of a
new visitor with six vendors, reading the data of a visitor, and checking a visitor's consent;
with nothing stored, and with S consents. Both run on one PostgreSQL with production durability,
each with its own database, and are measured in alternation with the same load. Stops every
process and removes every file at the end.

  --seconds N       duration of each measurement in a round (default: 3)
  --rounds R        rounds (default: 3)
  --connections C   concurrent connections (default: 64)
  --stored S        stored consents of the second stage (default: 200000)
  -h, --help        print this text
`;
const options = {
  seconds: { default: 3, min: 1, max: 3_600 },
  rounds: { default: 3, min: 1, max: 1_000 },
  connections: { default: 64, min: 1, max: 1_000 },
  stored: { default: 200_000, min: 1_000, max: 10_000_000 },
};
/** Target rates of collecting, in multiples of the peer's rate. */
const goals = { empty: 30, filled: 200 };

type Options = Record<keyof typeof options, number>;

const parsed = readNumbers({ args: process.argv.slice(2), command: "bench:peer", help, options });
process.exitCode =
  "status" in parsed ? parsed.status : await runBench((bench) => main(bench, parsed));

async function main(bench: Bench, given: Options): Promise<number> {
  const facts = await readFacts();
  process.stderr.write("  installing the peer from npm …\n");
  const { file, versions } = await installPeer(join(bench.folder, "peer"));
  const databases = bench.opened.use(await openDatabases(bench.folder));
  const parties = await openParties(bench, { databases, file, connections: given.connections });
  const stages = [
    await measureStage(parties, { ...given, stored: FIRST_VISITORS, title: "0" }),
    await measureStage(parties, { ...given, title: given.stored.toLocaleString("en") }),
  ];
  const rows = stages.flatMap((stage, at) =>
    kinds.map((kind) => toRow(stage, kind, at === 0 ? goals.empty : goals.filled)),
  );
  const columns = ["Avow: requests/s", "p99 ms", "c15t: requests/s", "p99 ms", "Ratio", "Goal"];
  const table = toTable([{ title: "Operation" }, ...["Stored", ...columns].map(right)], rows);
  console.log(`\n${table}\n\n  ${facts}\n  ${versions}\n  ${toNotes(given, stages)}\n`);
  return printFailures(stages.flatMap(({ measures }) => measures.flatMap(({ both }) => both)))
    ? 1
    : 0;
}

/** Both services, this one first, each with its own database and process. */
async function openParties(
  { folder, opened }: Bench,
  given: { databases: Databases; file: string; connections: number },
): Promise<[Party, Party]> {
  const { databases, file, connections } = given;
  const ownUrl = await databases.create("bench_avow");
  const avow = opened.use(await openAvow(folder, ownUrl));
  const site = await setUpShop(avow.url);
  const databaseUrl = await databases.create("bench_c15t");
  const { PATH } = process.env;
  const env = { PATH, NODE_ENV: "production", DATABASE_URL: databaseUrl };
  const peer = opened.use(
    await openChild(file, { cwd: join(file, ".."), env: { ...env, POOL_MAX: String(POOL_MAX) } }),
  );
  const { consents } = site;
  return [
    toAvowParty({ site, databaseUrl: ownUrl, connections }),
    toC15tParty({ url: peer.url, databaseUrl, consents, connections }),
  ];
}

interface Stage {
  title: string;
  measures: { kind: Kind; both: [Measure, Measure] }[];
  /** The number of consents of each at the beginning and at the end, as text. */
  counts: string;
}

async function measureStage(
  [avow, peer]: [Party, Party],
  given: Options & { title: string },
): Promise<Stage> {
  const { title, stored, rounds, seconds } = given;
  const measures: Stage["measures"] = [];
  const logProgress = (what: string): void =>
    void process.stderr.write(`  ${title} stored: ${what} …\n`);
  const isEmpty = stored === FIRST_VISITORS;
  const before: number[] = [];
  for (const party of [avow, peer]) {
    logProgress(`filling ${party.title}`);
    await party.fill(stored);
    await party.assertReadable();
    before.push(await party.count());
  }
  for (let round = 1; round <= rounds; round++) {
    // Consents of one round would slow the peer down in the next.
    if (isEmpty && round > 1) await peer.reset?.();
    for (const kind of kinds.toReversed()) {
      logProgress(`round ${round} of ${rounds}, ${kind}`);
      const own = await measure(avow.toScenario(kind), seconds);
      measures.push({ kind, both: [own, await measure(peer.toScenario(kind), seconds)] });
    }
  }
  const after = [await avow.count(), await peer.count()];
  const counts = [avow, peer].map(
    (party, at) =>
      `${party.title} ${before[at]?.toLocaleString("en")} to ${after[at]?.toLocaleString("en")}`,
  );
  return { title, measures, counts: counts.join(", ") };
}

function toRow({ title, measures }: Stage, kind: Kind, goal: number): string[] {
  const rounds = measures.filter((measured) => measured.kind === kind).map(({ both }) => both);
  const middle = (valueOf: (both: [Measure, Measure]) => number): number =>
    spreadOf(rounds.map(valueOf)).median;
  return [
    kind,
    title,
    toRate(middle(([own]) => own.requestsPerSecond)),
    toMs(middle(([own]) => own.p99Ms)),
    toRate(middle(([, other]) => other.requestsPerSecond)),
    toMs(middle(([, other]) => other.p99Ms)),
    toRatio(middle(([own, other]) => own.requestsPerSecond / other.requestsPerSecond)),
    kind === "collect" ? String(goal) : "",
  ];
}

function toNotes(given: Options, stages: readonly Stage[]): string {
  const stored = stages.map(({ title, counts }) => `at ${title}: ${counts}`).join("; ");
  return [
    `${given.connections} connections, ${given.rounds} rounds of ${given.seconds} s after a warm-up of 1 s each; median of the rounds. Load and services share the cores.`,
    `Each: one process, a pool of ${POOL_MAX}, its own database on one PostgreSQL with fsync on. Avow has default settings; c15t logs only errors and does no geolocation.`,
    `Every consent is of a new visitor, with six vendors; Avow’s also has an Idempotency-Key. Read: a visitor’s state and history at Avow, subject and consents at c15t.`,
    `Check: the latest record by token at Avow; by external id at c15t, which supports only that. At the first stage, ${FIRST_VISITORS} visitors exist for reads.`,
    `Stored consents at the beginning and the end of the measurement: ${stored}.`,
  ].join("\n  ");
}
