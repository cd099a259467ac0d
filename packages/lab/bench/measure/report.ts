import { execFile } from "node:child_process";
import { availableParallelism, cpus } from "node:os";
import { promisify } from "node:util";
import type { Column } from "../../instance/table.ts";
import { childEnvironment, findBinaries } from "@avow/postgres/binaries";
import type { Measure } from "./load.ts";

/** The minimum, median and maximum of some numbers. */
export interface Spread {
  min: number;
  median: number;
  max: number;
}

export function spreadOf(numbers: readonly number[]): Spread {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  const median = (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2;
  return { min: at(0), median, max: at(sorted.length - 1) };
}

export function right(title: string): Column {
  return { title, align: "right" };
}

/** Formats a rate, without decimals from ten on. */
export function toRate(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond).toLocaleString("en");
}

export function toMs(ms: number): string {
  return ms < 100 ? ms.toFixed(2) : Math.round(ms).toLocaleString("en");
}

export function toRatio(ratio: number): string {
  return ratio < 100 ? ratio.toPrecision(2) : Math.round(ratio).toLocaleString("en");
}

/** The machine and its software, in one line. */
export async function readFacts(): Promise<string> {
  const { postgres } = await findBinaries();
  const options = { env: childEnvironment, timeout: 10_000 };
  const { stdout } = await promisify(execFile)(postgres, ["--version"], options);
  const version = /\d+(\.\d+)*/.exec(stdout)?.[0] ?? "of unknown version";
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  return `${availableParallelism()} cores of ${model} · Node ${process.versions.node} · PostgreSQL ${version}`;
}

/** Prints failures; returns whether there were any. */
export function printFailures(measures: readonly Measure[]): boolean {
  const failed = measures.filter(({ failures }) => failures > 0);
  for (const { scenario, failures, failure } of failed)
    console.error(`${scenario.title}: ${failures} requests failed; the first: ${failure ?? "?"}`);
  if (failed.length > 0) console.error("The results are invalid because requests failed.");
  return failed.length > 0;
}
