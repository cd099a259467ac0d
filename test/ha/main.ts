// npm run test:ha: faults of a cluster of Patroni, PgBouncer and two nodes of the service, under load.
import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { inspect, parseArgs } from "node:util";
import { toTable } from "../../packages/lab/instance/table.ts";
import { openCluster } from "./cluster.ts";
import { type Fault, type World, faults } from "./faults.ts";
import { startLoad } from "./load.ts";
import { openSite, startPublication, waitForPublication } from "./site.ts";
import { type Verdict, verifyRun } from "./verify.ts";

const help = `Usage: npm run test:ha -- [OPTIONS]

Builds a cluster on the loopback address (etcd, three members of Patroni with a synchronous standby,
HAProxy, PgBouncer in transaction mode, two nodes of the service), collects consents with keys and
retries, and inflicts each fault several times. Checks that every consent with a 201 is stored once, that
the log only grew for its witness, that jobs resumed and webhooks were delivered, and how long no consent
was confirmed. Requires the Debian packages patroni, etcd-server, haproxy, pgbouncer and postgresql-15.

  --runs N        runs of each fault (default: 10)
  --fault NAME    only this fault, repeatable: ${faults.map(({ name }) => name).join(", ")}
  --rate N        consents a second (default: 500)
  --async         the control: asynchronous replication, which loses confirmed consents
  --keep          keep the folder with logs and configuration
  -h, --help      print this text

Exit status: 0 if all goals hold, 1 if one does not, 2 for wrong usage or a missing package.
`;

/** Programs of Debian's packages. */
const programs = {
  patroni: "/usr/bin/patroni",
  "etcd-server": "/usr/bin/etcd",
  haproxy: "/usr/sbin/haproxy",
  pgbouncer: "/usr/sbin/pgbouncer",
  "postgresql-15": "/usr/lib/postgresql/15/bin/postgres",
};

const BEFORE_MS = 3_000;
const AFTER_MS = 5_000;

interface Options {
  runs: number;
  rate: number;
  isAsync: boolean;
  isKept: boolean;
  selected: readonly Fault[];
}

interface FaultResult extends Verdict {
  acknowledged: number;
  /** The longest time without a 201 after the fault. */
  pauseSeconds: number;
  /** 201s while writes had to stop. */
  unsafe: number;
  hasSecondLeader: boolean;
  jobsDone: boolean;
  /** Responses other than 201 and 503. */
  errors: number;
}

const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => stopping.abort());
process.exitCode = await main();

async function main(): Promise<number> {
  const options = readOptions();
  if (typeof options === "number") return options;
  const missing = await listMissing();
  if (missing.length > 0) {
    print(`Missing Debian packages: ${missing.join(", ")}. Install them with apt-get.`);
    return 2;
  }
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "avow-ha-"));
  if (options.isKept) print(`Logs and configuration: ${folder}`);
  else opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  try {
    return await runAll(opened, folder, options);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    print("Interrupted.");
    return 1;
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function readOptions(): Options | number {
  try {
    const { values } = parseArgs({
      options: {
        runs: { type: "string", default: "10" },
        rate: { type: "string", default: "500" },
        fault: { type: "string", multiple: true, default: [] },
        async: { type: "boolean", default: false },
        keep: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) {
      process.stdout.write(help);
      return 0;
    }
    const [runs, rate] = [Number(values.runs), Number(values.rate)];
    if (!(Number.isInteger(runs) && runs > 0 && rate > 0))
      throw new Error("--runs and --rate expect numbers above 0.");
    const unknown = values.fault.find((name) => !faults.some((fault) => fault.name === name));
    if (unknown !== undefined) throw new Error(`There is no fault ${unknown}.`);
    const isAsync = values.async;
    const usual = isAsync ? faults.filter(({ isControl }) => isControl) : faults;
    const named = faults.filter(({ name }) => values.fault.includes(name));
    const selected = named.length > 0 ? named : usual;
    return { runs, rate, isAsync, isKept: values.keep, selected };
  } catch (error) {
    print(`${error instanceof Error ? error.message : String(error)} See --help.`);
    return 2;
  }
}

async function listMissing(): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(programs).map(async ([name, path]) =>
      access(path).then(
        () => [],
        () => [name],
      ),
    ),
  );
  return found.flat();
}

async function runAll(
  opened: AsyncDisposableStack,
  folder: string,
  options: Options,
): Promise<number> {
  const { signal } = stopping;
  print("Starting the cluster and two nodes …");
  const cluster = opened.use(await openCluster({ folder, isAsync: options.isAsync, signal }));
  const site = opened.use(await openSite(cluster, { folder, signal }));
  const results = new Map<Fault, FaultResult[]>();
  let failure: unknown;
  try {
    for (const fault of options.selected) {
      const runs: FaultResult[] = [];
      results.set(fault, runs);
      for (let number = 1; number <= options.runs; number += 1) {
        const name = `${fault.title}, ${number} of ${options.runs}`;
        print(`${name} …`);
        const run = `${fault.name}-${number}`;
        const done = await runOnce({ cluster, site }, fault, { run, folder, rate: options.rate });
        runs.push(done);
        print(`${name}: ${toLine(done)}`);
        signal.throwIfAborted();
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    failure = error;
    print(`The cluster did not recover: ${inspect(error)}`);
  }
  print(toResultTable(results));
  const status = report(results, options.isAsync);
  return failure === undefined ? status : 1;
}

async function runOnce(
  world: World,
  fault: Fault,
  { run, folder, rate }: { run: string; folder: string; rate: number },
): Promise<FaultResult> {
  const { cluster, site } = world;
  const leader = await cluster.waitUntilHealthy();
  const file = join(folder, `${run}.txt`);
  const load = await startLoad(site, { run, perSecond: rate, file });
  try {
    await delay(BEFORE_MS, undefined, { signal: stopping.signal });
    const [{ url } = { url: "" }] = site.nodes;
    const { token, watched } = site;
    const job = await startPublication({ url, token, projectId: watched.projectId });
    const times = await fault.inflict(world, leader);
    await cluster.waitUntilHealthy();
    for (const node of site.nodes) await node.waitUntilReady();
    await delay(AFTER_MS, undefined, { signal: stopping.signal });
    const end = performance.now();
    await load.finish();
    const jobsDone = await waitForPublication({ url, token, job }).then(
      () => true,
      () => false,
    );
    const { silence, hasSecondLeader = false } = times;
    const isSilent = (time: number) => silence && time > silence.from && time < silence.to;
    return {
      acknowledged: load.acknowledged.length,
      pauseSeconds: findPause(load.times, times.at, end) / 1_000,
      unsafe: load.times.filter(isSilent).length,
      hasSecondLeader,
      jobsDone,
      errors: load.errorCount(),
      ...(await verifyRun(world, { run, acknowledged: load.acknowledged })),
    };
  } catch (error) {
    load.abort();
    throw error;
  }
}

/** The longest time without a 201 between two instants. */
function findPause(times: readonly number[], from: number, to: number): number {
  const all = [from, ...times.filter((time) => time > from && time < to), to];
  return Math.max(...all.slice(1).map((time, at) => time - (all[at] ?? time)));
}

function toLine(run: FaultResult): string {
  const { acknowledged, lost, twice, unsafe, undelivered, pauseSeconds } = run;
  const faulty = [
    run.errors > 0 && `${run.errors} responses other than 201 and 503`,
    unsafe > 0 && `${unsafe} confirmed without a standby`,
    undelivered > 0 && `${undelivered} webhooks missing`,
    run.hasSecondLeader && "a replaced leader confirmed a write",
    !run.isLogged && "the log is not complete",
    !run.jobsDone && "a job did not resume",
  ].filter((text) => text !== false);
  const counts = `${acknowledged} confirmed, ${lost} lost, ${twice} twice, pause ${pauseSeconds.toFixed(1)} s`;
  return [counts, ...faulty].join("; ");
}

function findQuantile(values: readonly number[], quantile: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(quantile * sorted.length) - 1)] ?? Number.NaN;
}

function sum(runs: readonly FaultResult[], count: (run: FaultResult) => number): number {
  return runs.reduce((total, run) => total + count(run), 0);
}

function isWhole({
  isLogged,
  jobsDone,
  undelivered,
  unsafe,
  errors,
  hasSecondLeader,
}: FaultResult): boolean {
  return (
    isLogged && jobsDone && undelivered === 0 && unsafe === 0 && errors === 0 && !hasSecondLeader
  );
}

function toResultTable(results: ReadonlyMap<Fault, readonly FaultResult[]>): string {
  const right = (title: string) => ({ title, align: "right" }) as const;
  const columns = [
    { title: "Fault" },
    ...["Runs", "Confirmed", "Lost", "Twice", "Errors", "Pause s", "p95", "Goal"].map(right),
    ...["Log grew", "Jobs", "Webhooks", "No unsafe 201"].map((title) => ({ title })),
  ];
  const rows = [...results].map(([fault, runs]) => {
    const pauses = runs.map(({ pauseSeconds }) => pauseSeconds);
    const all = (isFine: (run: FaultResult) => boolean) => (runs.every(isFine) ? "yes" : "NO");
    return [
      fault.title,
      String(runs.length),
      String(sum(runs, ({ acknowledged }) => acknowledged)),
      String(sum(runs, ({ lost }) => lost)),
      String(sum(runs, ({ twice }) => twice)),
      String(sum(runs, ({ errors }) => errors)),
      findQuantile(pauses, 0.5).toFixed(1),
      findQuantile(pauses, 0.95).toFixed(1),
      String(fault.goalSeconds),
      all(({ isLogged }) => isLogged),
      all(({ jobsDone }) => jobsDone),
      all(({ undelivered }) => undelivered === 0),
      all(({ unsafe, hasSecondLeader }) => unsafe === 0 && !hasSecondLeader),
    ];
  });
  return toTable(columns, rows);
}

/** Returns the exit status. */
function report(results: ReadonlyMap<Fault, readonly FaultResult[]>, isAsync: boolean): number {
  const all = [...results.values()].flat();
  const lost = sum(all, (run) => run.lost);
  if (isAsync) {
    print(`Asynchronous replication lost ${lost} confirmed consents in ${all.length} runs.`);
    return lost > 0 ? 0 : 1;
  }
  const isMet = [...results].every(([fault, runs]) => {
    const p95 = findQuantile(
      runs.map(({ pauseSeconds }) => pauseSeconds),
      0.95,
    );
    return p95 <= fault.goalSeconds && runs.every(isWhole);
  });
  const isFine = isMet && lost === 0 && sum(all, (run) => run.twice) === 0;
  print(isFine ? "All goals hold." : "A goal does not hold.");
  return isFine ? 0 : 1;
}
