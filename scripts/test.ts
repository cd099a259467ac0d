// npm test: every test, in as many processes as there are processors, each with a PostgreSQL of its own.
//   npm test -- vault            only the files whose path contains "vault"
//   npm test -- --test-name-pattern="hides"
//   npm test -- --processes 1    one after the other
//   npm run test:faults          those that kill and wait, which take longer
import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { runTests } from "./test-processes.ts";

const TEST_TIMEOUT_MS = 120_000;
const PROCESSES_MAX = 4;
/** More parts than processes, so that all have work to the end; each takes a database and a browser. */
const PART_FILES = 40;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "test-name-pattern": { type: "string", multiple: true, default: [] },
    "test-only": { type: "boolean", default: false },
    processes: { type: "string" },
    faults: { type: "boolean", default: false },
  },
});
const all = globSync(
  ["server", "test", "scripts", "bench"].map((folder) => `${folder}/**/*.test.ts`),
).filter((file) => /^test.faults/.test(file) === values.faults);
const isAsked = (file: string): boolean =>
  positionals.length === 0 || positionals.some((part) => file.includes(part));
const files = all.filter(isAsked).toSorted();
if (files.length === 0) {
  console.error(`No test file's path contains ${positionals.join(" or ")}.`);
  process.exit(1);
}
// Faults are killed and measured in their own time: side by side they would disturb each other.
const most = values.faults ? 1 : Math.min(availableParallelism(), PROCESSES_MAX);
const atOnce = Number(values.processes ?? most);
if (!(Number.isInteger(atOnce) && atOnce > 0)) {
  console.error("--processes takes a whole number from 1 on.");
  process.exit(1);
}
const count = atOnce === 1 ? 1 : Math.ceil(files.length / PART_FILES);
const parts = Array.from({ length: count }, (_, part) =>
  files.filter((_file, index) => index % count === part),
);
const flags = [
  "--test",
  "--test-isolation=none",
  "--test-reporter=spec",
  `--test-timeout=${TEST_TIMEOUT_MS}`,
  ...values["test-name-pattern"].map((pattern) => `--test-name-pattern=${pattern}`),
  ...(values["test-only"] ? ["--test-only"] : []),
];
process.exitCode = await runTests(
  parts.map((part) => [...flags, ...part]),
  { atOnce },
);
