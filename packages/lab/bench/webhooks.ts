// npm run bench:webhooks: latency and throughput of webhooks, and the cost of idle ones.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Client, createClient } from "../instance/requests.ts";
import { toTable } from "../instance/table.ts";
import { readNumbers } from "./measure/arguments.ts";
import { openChild } from "./measure/children.ts";
import { readFacts, right } from "./measure/report.ts";
import { type Bench, runBench } from "./measure/run.ts";
import { type BenchService, openAvow } from "./measure/service.ts";
import { readMemory } from "./measure/steady.ts";
import { makeEndpoints, signUp, toKinds } from "./webhooks/endpoints.ts";
import { runPhase } from "./webhooks/phase.ts";

const help = `Usage: npm run bench:webhooks -- [--events N] [--endpoints E] [--rate R] [--kills K] [--burst B] [--idle I]

Creates E projects with a webhook each: one in ten endpoints is dead, one in ten responds after five
seconds, and one in ten fails sometimes. Collects N consents, R per second, and kills the service K times;
then B as fast as they are accepted. Reports the latency and the rate of deliveries to healthy endpoints,
and fails if a healthy or flapping endpoint missed an event, or received a token's events out of order.
Then creates I more webhooks without events, and reports their cost in ten seconds.

  --events N      consents at R per second (default: 100000)
  --endpoints E   projects with a webhook (default: 100)
  --rate R        consents per second (default: 300)
  --kills K       kill -9 of the service during the run (default: 2)
  --burst B       consents of the burst (default: 10000)
  --idle I        webhooks without events, at most 900 (default: 900)
  -h, --help      print this text
`;
const options = {
  events: { default: 100_000, min: 1_000, max: 10_000_000 },
  endpoints: { default: 100, min: 10, max: 1_000 },
  rate: { default: 300, min: 1, max: 10_000 },
  kills: { default: 2, min: 0, max: 100 },
  burst: { default: 10_000, min: 1_000, max: 1_000_000 },
  idle: { default: 900, min: 1, max: 900 },
};
const IDLE_SECONDS = 10;
/** Linux measures processor time in hundredths of a second. */
const TICKS = 100;

const parsed = readNumbers({
  args: process.argv.slice(2),
  command: "bench:webhooks",
  help,
  options,
});
process.exitCode =
  "status" in parsed ? parsed.status : await runBench((bench) => main(bench, parsed));

type Options = Record<keyof typeof options, number>;

async function main({ folder, opened }: Bench, given: Options): Promise<number> {
  const facts = await readFacts();
  const receiver = opened.use(
    await openChild(join(import.meta.dirname, "webhooks", "receiver.ts"), {}),
  );
  const settings = { WEBHOOKS_ALLOWED_NETWORKS: "127.0.0.0/8" };
  let avow = await openAvow(folder, undefined, settings);
  opened.defer(() => avow[Symbol.asyncDispose]());
  const client = await signUp(createClient(avow.url));
  const { port: PORT } = new URL(avow.url);
  const kill = async (): Promise<void> => {
    avow = await restart(avow, () => openAvow(folder, undefined, { ...settings, PORT }));
  };
  process.stderr.write(`  ${given.endpoints} projects …\n`);
  const kinds = toKinds(given.endpoints);
  const endpoints = await makeEndpoints(client, { kinds, receiver: receiver.url });
  const run = { client, kill, endpoints, receiver: receiver.url };
  const { events, rate, kills, burst } = given;
  const paced = { title: `${rate} a second`, events, rate, kills };
  const atOnce = { title: "at once", events: burst, rate: Number.POSITIVE_INFINITY, kills: 0 };
  const shown = [await runPhase(run, paced), await runPhase(run, atOnce)];
  const counted = ["Healthy", "Flapping", "Slow", "Healthy/s"];
  const titles = ["Consents", ...counted, "p50 ms", "p90 ms", "p99 ms", "Again"];
  const columns = [{ title: "Webhooks" }, ...titles.map(right)];
  const rows = shown.map(({ row }) => row);
  console.log(`\n${toTable(columns, rows)}\n`);
  const faults = shown.flatMap((phase) => phase.faults);
  for (const fault of faults) console.log(`  ${fault}`);
  console.log(`  ${await measureIdle(client, avow.pid, given.idle)}\n\n  ${facts}\n`);
  return faults.length > 0 ? 1 : 0;
}

/** Kills a service like a power failure, and restarts it with its data. */
async function restart(
  service: BenchService,
  open: () => Promise<BenchService>,
): Promise<BenchService> {
  process.stderr.write("  kill -9 …\n");
  process.kill(service.pid, "SIGKILL");
  await service.exited;
  return open();
}

/** Measures the cost of `count` additional idle webhooks; returns a summary. */
async function measureIdle(client: Client, pid: number, count: number): Promise<string> {
  process.stderr.write(`  ${count} idle webhooks …\n`);
  const before = await readIdle(pid);
  const json = { url: "https://hooks.example/", events: ["subscription.updated"] };
  for (let at = 0; at < count; at += 1) await client.send("/v1/webhooks", { json });
  const after = await readIdle(pid);
  const share = ((after.seconds - before.seconds) / IDLE_SECONDS / count) * 100;
  return `${count} idle webhooks: processor ${before.seconds.toFixed(2)} s of ${IDLE_SECONDS} before, ${after.seconds.toFixed(2)} s after (${share.toFixed(4)} % of a core each); memory ${before.memory.toFixed(0)} MiB before, ${after.memory.toFixed(0)} MiB after.`;
}

/** Processor time of the service in ten seconds, and its memory in MiB. */
async function readIdle(pid: number): Promise<{ seconds: number; memory: number }> {
  const from = await readProcessorSeconds(pid);
  await delay(IDLE_SECONDS * 1_000);
  return { seconds: (await readProcessorSeconds(pid)) - from, memory: await readMemory(pid) };
}

async function readProcessorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name is in parentheses and may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}
