// npm run bench:cluster: cost of collection as the data plane is spread over more servers.
import { setTimeout as delay } from "node:timers/promises";
import { toTable } from "../../instance/table.ts";
import { openDatabases } from "../measure/database.ts";
import { readFamilySeconds, readProcessorSeconds } from "../measure/processor.ts";
import { readFacts, right, spreadOf, toMs, toRate, toRatio } from "../measure/report.ts";
import { type Bench, runBench } from "../measure/run.ts";
import { countStored, readCounts } from "./counts.ts";
import { measureMoves } from "./move.ts";
import { type OfferResult, offer } from "./offer.ts";
import { type Options, readOptions } from "./options.ts";
import { type Party, setUpParty } from "./party.ts";
import { readCluster } from "./servers.ts";

const WARMUP_SECONDS = 3;
/** Servers publish the counts of a closed connection within this time. */
const COUNTED_MS = 500;
/** The time for each consent may grow by this factor. */
const RATIO_GOAL = 1.3;

/** One measurement of a party. */
interface Round {
  measured: OfferResult;
  /** Processor time for each consent in µs; NaN for a server of another machine. */
  node: number;
  servers: number[];
  /** Consents in a group. */
  groupSize: number;
  /** Share of groups among groups and prepared transactions. */
  oneServer: number;
}

interface Row {
  party: Party;
  projects: number;
  rounds: Round[];
}

const parsed = readOptions(process.argv.slice(2));
process.exitCode =
  "status" in parsed ? parsed.status : await runBench((bench) => main(bench, parsed));

async function main(bench: Bench, given: Options): Promise<number> {
  const parties = await setUpParties(bench, given);
  const rows = given.projects.flatMap((projects) =>
    parties.map((party): Row => ({ party, projects, rounds: [] })),
  );
  const accepted = new Map<Party, string[]>(parties.map((party) => [party, []]));
  for (let round = 1; round <= given.rounds; round += 1)
    for (const row of rows) {
      process.stderr.write(
        `  round ${round} of ${given.rounds}: ${row.party.title}, ${row.projects} projects …\n`,
      );
      row.rounds.push(await measureRound(row, given, accepted.get(row.party) ?? []));
    }
  console.log(`\n${toResultTable(rows, given)}\n\n  ${await readFacts()} (load and control plane)`);
  console.log(
    `  ${given.rounds} rounds of ${given.seconds} s in alternation, medians. The goal of the ratio is at most ${RATIO_GOAL}.`,
  );
  let failed = printFailures(rows);
  for (const party of parties) {
    const ids = accepted.get(party) ?? [];
    const { stored, lost, twice } = await countStored(party.plane.url, ids);
    const counts = [ids.length, stored].map((count) => count.toLocaleString("en"));
    console.log(
      `  ${party.title}: ${counts[0]} accepted, ${counts[1]} stored, ${lost} lost, ${twice} twice.`,
    );
    failed ||= lost + twice > 0;
  }
  if (!given.move) return failed ? 1 : 0;
  const [largest] = parties.toSorted((a, b) => (b.workers ?? 0) - (a.workers ?? 0));
  if (!largest) throw new Error("--move needs a cluster.");
  const [projects = 1] = given.projects;
  const ids = accepted.get(largest) ?? [];
  const hasFailed = await measureMoves(largest, { rate: given.rate, projects, accepted: ids });
  return failed || hasFailed ? 1 : 0;
}

async function setUpParties(bench: Bench, given: Options): Promise<Party[]> {
  const cluster = await readCluster(given.url);
  const plain = given.plain === undefined ? undefined : await readCluster(given.plain);
  const available = cluster.workers.length;
  if (cluster.hasCitus && available === 0)
    throw new Error("--url: the coordinator has no workers.");
  const numbers = cluster.hasCitus ? (given.workers ?? [available]) : [0];
  const tooMany = numbers.find((workers) => workers > available);
  if (tooMany !== undefined && tooMany > 0)
    throw new Error(`--workers: the cluster has ${available}, not ${tooMany}.`);
  if (plain?.hasCitus === true) throw new Error("--plain: the database has the extension citus.");
  if (given.move && Math.max(...numbers) < 2) throw new Error("--move needs two workers.");
  const databases = bench.opened.use(await openDatabases(bench.folder));
  const wanted = [
    ...(plain ? [{ cluster: plain, workers: 0 }] : []),
    ...numbers.map((workers) => ({ cluster, workers })),
  ];
  const projects = Math.max(...given.projects);
  const parties: Party[] = [];
  for (const [at, one] of wanted.entries()) {
    const controlUrl = await databases.create(`bench_control_${at}`);
    const { buckets } = given;
    parties.push(await setUpParty(bench, { ...one, controlUrl, projects, buckets }));
  }
  return parties;
}

/** Starts the service, warms it up and measures; adds the ids of all accepted consents to `accepted`. */
async function measureRound(
  { party, projects }: Row,
  { rate, seconds }: Options,
  accepted: string[],
): Promise<Round> {
  const { plane } = party;
  const pids = plane.servers.map(({ postmaster }) => postmaster);
  const countsBefore = await readCounts(plane);
  const run = async () => {
    await using avow = await party.open();
    const next = party.createSource(avow.url, projects);
    const offerFor = (lasting: number) =>
      offer({
        address: new URL(avow.url),
        next,
        rate,
        until: AbortSignal.timeout(lasting * 1_000),
      });
    const warmup = await offerFor(WARMUP_SECONDS);
    const before = await readTimes(avow.pid, pids);
    const measured = await offerFor(seconds);
    const after = await readTimes(avow.pid, pids);
    const spent = after.map((time, at) => time - (before[at] ?? Number.NaN));
    return { warmup, measured, spent };
  };
  const { warmup, measured, spent } = await run();
  accepted.push(...warmup.accepted, ...measured.accepted);
  await delay(COUNTED_MS);
  const counts = await readCounts(plane);
  const groups = counts.groups - countsBefore.groups;
  const prepared = counts.prepared - countsBefore.prepared;
  const all = warmup.accepted.length + measured.accepted.length;
  const [node = Number.NaN, ...servers] = spent.map(
    (time) => (time * 1e6) / measured.accepted.length,
  );
  return {
    measured: { ...measured, failures: measured.failures + warmup.failures },
    node,
    servers,
    groupSize: all / groups,
    oneServer: groups / (groups + prepared),
  };
}

/** Processor time in seconds of Node, and of each server; NaN for one of another machine. */
async function readTimes(
  node: number,
  postmasters: readonly (number | undefined)[],
): Promise<number[]> {
  const own = await readProcessorSeconds([node]);
  const servers = postmasters.map(async (pid) =>
    pid === undefined ? Number.NaN : readFamilySeconds(pid),
  );
  return [own.get(node) ?? Number.NaN, ...(await Promise.all(servers))];
}

function toResultTable(rows: readonly Row[], { rate }: Options): string {
  const lines = rows.map((row) => {
    const { party, projects, rounds } = row;
    const median = (toNumber: (round: Round) => number): number =>
      spreadOf(rounds.map(toNumber)).median;
    const waits = [0.5, 0.99].map((part) => median(({ measured }) => percentile(measured, part)));
    const servers = party.plane.servers.map((_, at) =>
      median((round) => round.servers[at] ?? Number.NaN),
    );
    const base = rows.find((one) => one.projects === projects && one.party.workers !== undefined);
    const ratios = rounds.map(
      (round, at) => sumOf(round) / sumOf((base ?? row).rounds[at] ?? round),
    );
    return [
      party.title,
      String(projects),
      String(party.buckets),
      toRate(rate),
      toRate(median(({ measured }) => measured.acceptedInTime / measured.seconds)),
      ...waits.map(toMs),
      toMicroseconds(median(({ node }) => node)),
      toMicroseconds(servers[0] ?? Number.NaN),
      servers.slice(1).map(toMicroseconds).join(" + "),
      toMicroseconds(median(sumOf)),
      Number.isNaN(sumOf(rounds[0])) ? "–" : toRatio(spreadOf(ratios).median),
      toShown(
        median(({ groupSize }) => groupSize),
        (size) => size.toFixed(1),
      ),
      party.workers === undefined
        ? "–"
        : toShown(
            median(({ oneServer }) => oneServer),
            (part) => `${(part * 100).toFixed(0)} %`,
          ),
    ];
  });
  const titles = ["Projects", "Buckets", "Offered/s", "Reached/s", "p50 ms", "p99 ms"];
  const costs = ["µs: Node", "coordinator", "workers", "all", "ratio", "Group", "One server"];
  return toTable([{ title: "Servers" }, ...[...titles, ...costs].map(right)], lines);
}

function sumOf(round: Round | undefined): number {
  return round ? round.servers.reduce((sum, time) => sum + time, round.node) : Number.NaN;
}

function percentile({ waitsMs }: OfferResult, part: number): number {
  return waitsMs[Math.max(0, Math.ceil(waitsMs.length * part) - 1)] ?? Number.NaN;
}

function toShown(number: number, format: (number: number) => string): string {
  return Number.isFinite(number) ? format(number) : "–";
}

function toMicroseconds(time: number): string {
  return toShown(time, toRate);
}

/** Prints the consents that were never accepted; returns whether there were any. */
function printFailures(rows: readonly Row[]): boolean {
  const failed = rows.flatMap(({ party, rounds }) =>
    rounds
      .filter(({ measured }) => measured.failures > 0)
      .map(({ measured }) => ({ party, measured })),
  );
  for (const { party, measured } of failed)
    console.error(
      `${party.title}: ${measured.failures} consents were not accepted; the first response: ${measured.failure ?? "?"}`,
    );
  const retries = rows
    .flatMap(({ rounds }) => rounds)
    .reduce((sum, { measured }) => sum + measured.retries, 0);
  if (retries > 0) console.log(`  ${retries.toLocaleString("en")} retries.`);
  return failed.length > 0;
}
