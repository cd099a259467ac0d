// npm run bench: how fast the service answers beside a route that does nothing, on this machine.
import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { toReasonOf } from "../scripts/requests.ts";
import { openService } from "../scripts/service.ts";
import { type Column, toTable } from "../scripts/table.ts";
import { findFreePort } from "../server/platform/ports.ts";
import { childEnvironment, findBinaries } from "../server/platform/postgres/binaries.ts";
import { type Measure, measure } from "./load.ts";
import { setUpBench } from "./site.ts";

const HOST = "127.0.0.1";
const SECONDS_DEFAULT = 5;
const help = `Usage: npm run bench -- [--seconds N]

Measures the service on a database of its own in a temporary folder, written as durably as
in production: sign-in, vault reads and consent collection, each beside a bare Fastify route
that only validates and answers. Every process is ended and the folder removed afterwards.

  --seconds N   how long each line is measured (default: ${SECONDS_DEFAULT})
  -h, --help    this text
`;

const asked = readArguments(process.argv.slice(2));
process.exitCode = "status" in asked ? asked.status : await main(asked.seconds);

/** What was asked for; the exit status when there is nothing to measure. */
function readArguments(args: string[]): { seconds: number } | { status: number } {
  try {
    const { values } = parseArgs({
      args,
      options: {
        seconds: { type: "string", default: String(SECONDS_DEFAULT) },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) {
      process.stdout.write(help);
      return { status: 0 };
    }
    const given = Number(values.seconds);
    if (Number.isInteger(given) && given >= 1 && given <= 3_600) return { seconds: given };
    throw new Error(`--seconds: expected a whole number from 1 to 3600, got ${values.seconds}`);
  } catch (error) {
    console.error(`${toReasonOf(error)}\nSee: npm run bench -- --help`);
    return { status: 2 };
  }
}

async function main(each: number): Promise<number> {
  await using opened = new AsyncDisposableStack();
  const stop = (): void => void opened.disposeAsync().then(() => process.exit(130));
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, stop);
  try {
    const facts = await readFacts();
    const dataDir = await mkdtemp(join(tmpdir(), "avow-bench-"));
    opened.defer(() => rm(dataDir, { recursive: true, force: true }));
    const service = await startService(dataDir);
    opened.defer(() => service[Symbol.asyncDispose]());
    const bench = await setUpBench(service.url);
    const measures = await measureAll(bench, each);
    console.log(`\n${toResultTable(measures)}\n\n  ${facts}\n  ${toNotes(each)}\n`);
    const failures = measures.reduce((sum, { failures: more }) => sum + more, 0);
    if (failures > 0) console.error(`${failures} requests failed: the figures mean nothing.`);
    return failures > 0 ? 1 : 0;
  } catch (error) {
    console.error(toReasonOf(error));
    return 1;
  }
}

async function startService(dataDir: string): Promise<AsyncDisposable & { url: string }> {
  const port = await findFreePort(HOST);
  const url = `http://${HOST}:${port}`;
  const { PATH } = process.env;
  // Settings are the defaults, the log included: what is measured is what people run.
  const env = { PATH, HOST, PORT: String(port), DATA_DIR: dataDir, LOG_FORMAT: "json" };
  return { url, ...(await openService({ url, env })) };
}

async function measureAll(
  { consent, scenarios }: Awaited<ReturnType<typeof setUpBench>>,
  each: number,
): Promise<Measure[]> {
  const measures = [await measureBare(consent, each)];
  for (const scenario of scenarios) {
    process.stderr.write(`  measuring ${scenario.title}, ${scenario.connections} …\n`);
    measures.push(await measure(scenario, each));
  }
  return measures;
}

async function measureBare(json: unknown, each: number): Promise<Measure> {
  const child = fork(join(import.meta.dirname, "bare.ts"));
  try {
    const [url] = (await once(child, "message")) as [string];
    process.stderr.write("  measuring the bare route …\n");
    const scenario = { method: "POST", json, connections: 16 } as const;
    return await measure({ ...scenario, title: "Bare route", url: `${url}/consents` }, each);
  } finally {
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
  }
}

function toResultTable(measures: readonly Measure[]): string {
  const first = measures[0]?.requestsPerSecond ?? Number.NaN;
  return toTable(
    [
      { title: "Request" },
      right("Connections"),
      right("Requests/s"),
      right("p50 ms"),
      right("p99 ms"),
      right("Of bare"),
      right("Failed"),
    ],
    measures.map(({ scenario, requestsPerSecond, p50Ms, p99Ms, failures }) => [
      scenario.title,
      String(scenario.connections),
      Math.round(requestsPerSecond).toLocaleString("en"),
      p50Ms.toFixed(2),
      p99Ms.toFixed(2),
      (requestsPerSecond / first).toPrecision(2),
      String(failures),
    ]),
  );
}

function right(title: string): Column {
  return { title, align: "right" };
}

async function readFacts(): Promise<string> {
  const { postgres } = await findBinaries();
  const options = { env: childEnvironment, timeout: 10_000 };
  const { stdout } = await promisify(execFile)(postgres, ["--version"], options);
  const version = /\d+(\.\d+)*/.exec(stdout)?.[0] ?? "of unknown version";
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  return `${availableParallelism()} cores of ${model} · Node ${process.versions.node} · PostgreSQL ${version}`;
}

function toNotes(each: number): string {
  return `${each} s each after 1 s of warming up; fsync on; every consent is a new visitor’s; load and service share the cores.`;
}
