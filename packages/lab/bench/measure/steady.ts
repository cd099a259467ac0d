import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { toTable } from "../../instance/table.ts";
import { type Measure, type Scenario, measure } from "./load.ts";
import { listBackends, readProcessorSeconds, secondsSince } from "./processor.ts";
import { right, toMs, toRate } from "./report.ts";

const SAMPLE_SECONDS = 10;
/** Frequent enough to detect waits of a second, and infrequent enough not to affect the load. */
const WATCH_MS = 1_000;

/** Resident memory of a process in MiB; NaN on systems without /proc. */
export async function readMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/**
 * Collects for `minutes`, and prints every ten seconds the rate, the processor time of each consent, the memory, and the
 * longest wait of a consent for the log.
 */
export async function measureSteadily(
  collect: Scenario,
  { pid, minutes, databaseUrl }: { pid: number; minutes: number; databaseUrl: string },
): Promise<Measure[]> {
  const seconds = Math.round(minutes * 60);
  const measures: Measure[] = [];
  const memories = [await readMemory(pid)];
  const rows: string[][] = [];
  for (let at = 0; at < seconds; at += SAMPLE_SECONDS) {
    const length = Math.min(SAMPLE_SECONDS, seconds - at);
    process.stderr.write(`  collecting, ${at} of ${seconds} s …\n`);
    const pids = { node: [pid], postgres: await listBackends(databaseUrl) };
    const [before, beforePostgres] = await readTimes(pids);
    const [measured, waitedMs] = await withWaiting(databaseUrl, measure(collect, length, 0));
    const [after, afterPostgres] = await readTimes(pids);
    const toMicroseconds = (spent: number) => ((spent * 1e6) / measured.answered).toFixed(0);
    measures.push(measured);
    const memory = await readMemory(pid);
    memories.push(memory);
    const { requestsPerSecond, p99Ms } = measured;
    const waited = (waitedMs / 1_000).toFixed(1);
    const rate = toRate(requestsPerSecond);
    const node = toMicroseconds(secondsSince(before, after));
    const postgres = toMicroseconds(secondsSince(beforePostgres, afterPostgres));
    const row = [String(at + length), rate, toMs(p99Ms), node, postgres];
    rows.push([...row, memory.toFixed(0), waited]);
  }
  const times = ["Avow, µs each", "PostgreSQL, µs each"];
  const titles = ["After s", "Requests/s", "p99 ms", ...times, "Avow, MiB", "Waits for the log, s"];
  const columns = titles.map(right);
  const [first = Number.NaN, last = Number.NaN] = [memories[0], memories.at(-1)];
  const texts = [first, last, Math.max(...memories)].map((memory) => memory.toFixed(0));
  if (rows.length > 0) console.log(`${toTable(columns, rows)}\n`);
  console.log(
    `  Resident memory of Avow, MiB: ${texts[0]} before, ${texts[1]} after, ${texts[2]} at most.`,
  );
  return measures;
}

/** Waits for `work`; returns its result, and the longest observed wait of a consent for the log. */
async function withWaiting<T>(databaseUrl: string, work: Promise<T>): Promise<[T, number]> {
  const ended = new AbortController();
  const client = new Client({ connectionString: databaseUrl, application_name: "bench" });
  await client.connect();
  const watch = async (): Promise<number> => {
    let longest = 0;
    while (!ended.signal.aborted) {
      longest = Math.max(longest, await readWaitedMs(client));
      await delay(WATCH_MS, undefined, { signal: ended.signal }).catch(() => undefined);
    }
    return longest;
  };
  try {
    const watching = watch();
    const result = await work.finally(() => ended.abort());
    return [result, await watching];
  } finally {
    await client.end();
  }
}

/** Processor time of the service, and of PostgreSQL for it. */
function readTimes(pids: { node: readonly number[]; postgres: readonly number[] }) {
  return Promise.all([readProcessorSeconds(pids.node), readProcessorSeconds(pids.postgres)]);
}

/** The id of a consent begins with the time of its collection in ms (RFC 9562, version 7). */
async function readWaitedMs(client: Client): Promise<number> {
  const { rows } = await client.query<{ id: string }>(
    "SELECT consent_id AS id FROM consent_queue ORDER BY consent_id LIMIT 1",
  );
  const [first] = rows;
  return first ? Date.now() - Number.parseInt(first.id.replace("-", "").slice(0, 12), 16) : 0;
}
