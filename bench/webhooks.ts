// npm run bench:webhooks: how soon and how many webhooks are told, and what one costs that nothing happens to.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Client, createClient } from "../scripts/requests.ts";
import { toTable } from "../scripts/table.ts";
import { readNumbers } from "./arguments.ts";
import { openChild } from "./children.ts";
import { readFacts, right, toMs, toRate } from "./report.ts";
import { type Bench, runBench } from "./run.ts";
import { openAvow } from "./service.ts";
import { readMemory } from "./steady.ts";
import { type Endpoint, collect, kindOf, makeEndpoints, signUp } from "./webhooks/endpoints.ts";
import type { Report } from "./webhooks/receiver.ts";

const help = `Usage: npm run bench:webhooks -- [--events N] [--endpoints E] [--rate R] [--idle I]

Makes E projects with a webhook each, of which one in ten is dead, one in ten answers after five seconds
and one in ten fails now and then. Collects N consents, first R a second for half of them, then the rest
as fast as they are taken, and tells how late the healthy ones were told and how many were told a second.
Then makes I webhooks more that nothing happens to, and tells what they cost in ten seconds.

  --events N      consents altogether (default: 100000)
  --endpoints E   projects with a webhook (default: 100)
  --rate R        consents a second, at first (default: 300)
  --idle I        webhooks that nothing happens to, 900 at most (default: 900)
  -h, --help      this text
`;
const options = {
  events: { default: 100_000, min: 1_000, max: 10_000_000 },
  endpoints: { default: 100, min: 10, max: 1_000 },
  rate: { default: 300, min: 1, max: 10_000 },
  idle: { default: 900, min: 1, max: 900 },
};
const BATCH_MAX = 100;
const QUIET_MS = 1_000;
const WAIT_MS_MAX = 30 * 60_000;
const IDLE_SECONDS = 10;
/** Linux tells processor time in hundredths of a second. */
const TICKS = 100;

const asked = readNumbers({
  args: process.argv.slice(2),
  command: "bench:webhooks",
  help,
  options,
});
process.exitCode = "status" in asked ? asked.status : await runBench((bench) => main(bench, asked));

type Asked = Record<keyof typeof options, number>;

async function main({ folder, opened }: Bench, given: Asked): Promise<number> {
  const facts = await readFacts();
  const receiver = opened.use(
    await openChild(join(import.meta.dirname, "webhooks", "receiver.ts"), {}),
  );
  const settings = { WEBHOOKS_ALLOWED_NETWORKS: "127.0.0.0/8" };
  const avow = opened.use(await openAvow(folder, undefined, settings));
  const client = await signUp(createClient(avow.url));
  process.stderr.write(`  ${given.endpoints} projects …\n`);
  const endpoints = await makeEndpoints(client, { count: given.endpoints, receiver: receiver.url });
  const half = Math.floor(given.events / 2);
  const run = { client, endpoints, receiver: receiver.url };
  const steady = await runPhase(run, {
    title: `${given.rate} a second`,
    events: half,
    rate: given.rate,
  });
  const fast = await runPhase(run, {
    title: "at once",
    events: given.events - half,
    rate: Infinity,
  });
  const titles = ["Consents", "Told, healthy", "of", "Told/s", "p50 ms", "p99 ms", "Twice"];
  console.log(`\n${toTable([{ title: "Webhooks" }, ...titles.map(right)], [steady, fast])}\n`);
  console.log(`  ${await measureIdle(client, avow.pid, given.idle)}\n\n  ${facts}\n`);
  return 0;
}

interface Run {
  client: Client;
  endpoints: readonly Endpoint[];
  receiver: string;
}

/** Collects, waits until the healthy ones have been told everything; answers a row of the table. */
async function runPhase(
  { client, endpoints, receiver }: Run,
  { title, events, rate }: { title: string; events: number; rate: number },
): Promise<string[]> {
  process.stderr.write(`  ${events} consents, ${title} …\n`);
  await readReport(receiver);
  const sums: Report = { counts: {}, duplicates: 0, lastAtMs: 0, delaysMs: [] };
  const startMs = Date.now();
  const each = Math.ceil(events / endpoints.length);
  const batch = Math.min(BATCH_MAX, each);
  const batches = endpoints.flatMap((endpoint, at) =>
    Array.from({ length: Math.floor(each / batch) }, (_, n) => ({ endpoint, at, n })),
  );
  // In turns, so that all are told all the time.
  const pace = Math.min(batch, Math.max(1, Math.round(rate / 20)));
  let sent = 0;
  let expected = 0;
  for (const { endpoint, at } of batches.toSorted((a, b) => a.n - b.n)) {
    for (let left = batch; left > 0; left -= pace) {
      const count = Math.min(left, pace);
      const aheadMs = (sent / rate) * 1_000 - (Date.now() - startMs);
      if (aheadMs > 0) await delay(aheadMs);
      await collect(client, endpoint, count);
      sent += count;
      if (kindOf(at, endpoints.length) === "healthy") expected += count;
    }
  }
  const until = Date.now() + WAIT_MS_MAX;
  while ((sums.counts["healthy"] ?? 0) < expected && Date.now() < until) {
    addReport(sums, await readReport(receiver));
    await delay(QUIET_MS);
  }
  const told = sums.counts["healthy"] ?? 0;
  const seconds = (sums.lastAtMs - startMs) / 1_000;
  const all = Object.values(sums.counts).reduce((sum, count) => sum + count, 0);
  const sorted = sums.delaysMs.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  const late = [toMs(at(0.5)), toMs(at(0.99))];
  return [
    title,
    String(sent),
    String(told),
    String(expected),
    toRate(all / seconds),
    ...late,
    String(sums.duplicates),
  ];
}

async function readReport(receiver: string): Promise<Report> {
  return (await (await fetch(receiver, { signal: AbortSignal.timeout(60_000) })).json()) as Report;
}

function addReport(sums: Report, report: Report): void {
  for (const [kind, count] of Object.entries(report.counts))
    sums.counts[kind] = (sums.counts[kind] ?? 0) + count;
  sums.duplicates += report.duplicates;
  sums.lastAtMs = Math.max(sums.lastAtMs, report.lastAtMs);
  for (const delayMs of report.delaysMs) sums.delaysMs.push(delayMs);
}

/** What so many webhooks more cost, that nothing happens to, in words. */
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
  // What is in parentheses is the name, which may have spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}
