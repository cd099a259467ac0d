// npm test: every test in one process against one PostgreSQL.
//   npm test -- vault            only the files whose path contains "vault"
//   npm test -- --test-name-pattern="hides"
//   npm run test:faults          those that kill and wait, which take longer
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { constants } from "node:os";
import { parseArgs } from "node:util";

const TEST_TIMEOUT_MS = 120_000;
const RUN_TIMEOUT_MS = 30 * 60_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "test-name-pattern": { type: "string", multiple: true, default: [] },
    "test-only": { type: "boolean", default: false },
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
const runner = spawn(
  process.execPath,
  [
    "--test",
    "--test-isolation=none",
    "--test-reporter=spec",
    `--test-timeout=${TEST_TIMEOUT_MS}`,
    ...values["test-name-pattern"].map((pattern) => `--test-name-pattern=${pattern}`),
    ...(values["test-only"] ? ["--test-only"] : []),
    ...files,
  ],
  { stdio: "inherit" },
);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => runner.kill(signal));
}
const timer = setTimeout(() => {
  console.error(`The tests did not end within ${RUN_TIMEOUT_MS / 60_000} minutes.`);
  runner.kill("SIGTERM");
}, RUN_TIMEOUT_MS);
runner.once("exit", (code, signal) => {
  clearTimeout(timer);
  process.exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
});
