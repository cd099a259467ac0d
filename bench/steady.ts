import { readFile } from "node:fs/promises";
import { toTable } from "../scripts/table.ts";
import { type Measure, type Scenario, measure } from "./load.ts";
import { right, toMs, toRate } from "./report.ts";

const SAMPLE_SECONDS = 10;

/** Resident memory of a process in MiB; NaN where the system does not tell (Linux does). */
export async function readMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** Collects for `minutes`, and prints rate and memory every ten seconds. */
export async function measureSteadily(
  collect: Scenario,
  { pid, minutes }: { pid: number; minutes: number },
): Promise<Measure[]> {
  const seconds = Math.round(minutes * 60);
  const measures: Measure[] = [];
  const memories = [await readMemory(pid)];
  const rows: string[][] = [];
  for (let at = 0; at < seconds; at += SAMPLE_SECONDS) {
    const length = Math.min(SAMPLE_SECONDS, seconds - at);
    process.stderr.write(`  collecting, ${at} of ${seconds} s …\n`);
    const measured = await measure(collect, length, 0);
    measures.push(measured);
    const memory = await readMemory(pid);
    memories.push(memory);
    const { requestsPerSecond, p99Ms } = measured;
    rows.push([String(at + length), toRate(requestsPerSecond), toMs(p99Ms), memory.toFixed(0)]);
  }
  const columns = ["After s", "Requests/s", "p99 ms", "Avow, MiB"].map(right);
  const [first = Number.NaN, last = Number.NaN] = [memories[0], memories.at(-1)];
  const told = [first, last, Math.max(...memories)].map((memory) => memory.toFixed(0));
  if (rows.length > 0) console.log(`${toTable(columns, rows)}\n`);
  console.log(
    `  Resident memory of Avow, MiB: ${told[0]} before, ${told[1]} after, ${told[2]} at most.`,
  );
  return measures;
}
