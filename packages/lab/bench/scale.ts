// npm run bench:scale: speed of the service as its database grows.
import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import { toTable } from "../instance/table.ts";
import { readFacts, right, printFailures, toMs, toRate, toRatio } from "./measure/report.ts";
import { type Bench, runBench } from "./measure/run.ts";
import { type Options, readOptions } from "./scale/options.ts";
import {
  FIRST_CONSENTS,
  type Stage,
  growTo,
  measureStage,
  readDatabase,
  setUp,
} from "./scale/stages.ts";
import { PAGE } from "./scale/targets.ts";

const RATIO_GOAL = 1.5;

const parsed = readOptions(process.argv.slice(2));
process.exitCode =
  "status" in parsed ? parsed.status : await runBench((bench) => main(bench, parsed));

async function main(bench: Bench, given: Options): Promise<number> {
  const facts = await readFacts();
  const { kept } = given;
  const folder = kept ? resolve(kept.folder) : join(bench.folder, "scale");
  if (kept && !kept.exists && (await exists(folder)))
    throw new Error(
      `--keep: ${folder} already exists. Resume with --reuse, or name another folder.`,
    );
  let filled = kept?.exists ? await readDatabase(folder) : await setUp(folder, given);
  const stages: Stage[] = [];
  for (const size of given.sizes) {
    if (size < filled.size) {
      process.stderr.write(`  skipping ${size.toLocaleString("en")}: more is filled already\n`);
      continue;
    }
    filled = await growTo(folder, filled, size);
    stages.push(await measureStage(folder, filled, given));
  }
  console.log(`\n${toResultTable(stages)}\n\n  ${facts}\n  ${toNotes(given, stages)}\n`);
  const measures = stages.flatMap(({ rows }) => rows.map(({ measure }) => measure));
  return printFailures(measures) ? 1 : 0;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** A table with a row for each measure and project, two columns for each size, and their change. */
function toResultTable(stages: readonly Stage[]): string {
  const [first] = stages;
  const last = stages.at(-1);
  const lines = (first?.rows ?? []).map(({ what, project }, at) => {
    const measures = stages.map(({ rows }) => rows[at]?.measure);
    const [from, to] = [first?.rows[at]?.measure, last?.rows[at]?.measure];
    const ratios =
      from && to && stages.length > 1
        ? [from.requestsPerSecond / to.requestsPerSecond, to.p99Ms / from.p99Ms].map(toJudged)
        : ["", ""];
    const cells = measures.flatMap((measured) => [
      toRate(measured?.requestsPerSecond ?? Number.NaN),
      toMs(measured?.p99Ms ?? Number.NaN),
    ]);
    return [what, project, ...cells, ...ratios];
  });
  const sizes = stages.flatMap(({ size }) => [
    `${size.toLocaleString("en")}: requests/s`,
    "p99 ms",
  ]);
  const columns = [...sizes, "Slower", "p99 ratio"].map(right);
  return toTable([{ title: "Operation" }, { title: "Project" }, ...columns], lines);
}

function toJudged(ratio: number): string {
  return `${toRatio(ratio)}${ratio > RATIO_GOAL ? " !" : ""}`;
}

function toNotes(given: Options, stages: readonly Stage[]): string {
  const sizes = stages.map(({ size, records, memoryMiB, diskBytes }) => {
    const stored = `${records.toLocaleString("en")} consents stored`;
    const disk = `${(diskBytes / 1e9).toFixed(2)} GB of database, ${Math.round(diskBytes / records)} bytes each`;
    return `At ${size.toLocaleString("en")}: ${stored}; ${disk}; resident memory of Avow afterwards ${memoryMiB.toFixed(0)} MiB.`;
  });
  return [
    `${given.connections} connections, ${given.seconds} s each after a warm-up of 2 s; PostgreSQL and Avow restarted for each size; the load shares the cores.`,
    `${stages[0]?.projects} projects with three forms each; the second has half the traffic of the first, and so on. Lists by pages of 100.`,
    `At 0 each measured project has ${FIRST_CONSENTS.toLocaleString("en")} consents, so that pages are full. “!” marks more than ${RATIO_GOAL} times the first size.`,
    ...sizes,
    ...listShortPages(stages),
  ].join("\n  ");
}

/** Notes about pages with fewer items than the limit, because these are cheaper. */
function listShortPages(stages: readonly Stage[]): string[] {
  const short = stages.flatMap(({ size, rows }) =>
    rows
      .filter(({ items }) => items !== undefined && items !== PAGE)
      .map((row) => `${row.what} (${row.project}) at ${size.toLocaleString("en")}: ${row.items}`),
  );
  return short.length > 0 ? [`Pages with fewer than ${PAGE} items: ${short.join("; ")}.`] : [];
}
