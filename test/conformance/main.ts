// npm run test:conformance: checks any service against the interface specification.
import { globSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { run } from "node:test";
import { type Options, UsageError, readOptions, usage } from "./options.ts";
import { type CaseResult, toReport } from "./report.ts";

const FAILED_STATUS = 1;
const USAGE_STATUS = 2;

process.exitCode = await main();

async function main(): Promise<number> {
  let options: Options | undefined;
  try {
    options = readOptions(process.argv.slice(2), process.env);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return print(`${error.message}\n\n${usage}`, USAGE_STATUS);
  }
  if (!options) return print(usage, 0);
  const startMs = performance.now();
  // Loaded here, because it reads the options.
  const { openOwner, removeAll } = await import("./target.ts");
  try {
    await openOwner();
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? `${message} (${cause.message})` : message;
    return print(`No account at ${options.loginUrl}: ${reason}`, USAGE_STATUS);
  }
  const results = await runCases(options);
  const leftovers = await removeAll();
  for (const reason of leftovers)
    process.stderr.write(`A document of this run could not be removed: ${reason}\n`);
  const text = options.isJson
    ? JSON.stringify({ baseUrl: options.baseUrl, results }, undefined, 2)
    : toReport(results, options.baseUrl, startMs);
  if (results.length === 0)
    return print("No case matches --filter. Its pattern is searched in section and name.", 2);
  return print(text, results.some(({ outcome }) => outcome === "failed") ? FAILED_STATUS : 0);
}

/** Runs the cases one after another in this process. */
async function runCases({ filter, isJson }: Options): Promise<CaseResult[]> {
  const files = globSync("cases/*.ts", { cwd: import.meta.dirname })
    .toSorted()
    .map((file) => join(import.meta.dirname, file));
  const stream = run({
    files,
    isolation: "none",
    ...(filter === undefined ? {} : { testNamePatterns: [new RegExp(filter, "i")] }),
  });
  const results: CaseResult[] = [];
  let names: string[] = [];
  for await (const { type, data } of stream) {
    if (type === "test:start") names = [...names.slice(0, data.nesting), data.name];
    if ((type !== "test:pass" && type !== "test:fail") || data.details.type === "suite") continue;
    const result = toResult(type, data, names[0] ?? "");
    results.push(result);
    if (!isJson) process.stderr.write(result.outcome === "failed" ? "✗" : ".");
  }
  if (!isJson) process.stderr.write("\n");
  return results;
}

interface TestData {
  name: string;
  skip?: string | boolean;
  details: { duration_ms: number; error?: Error };
}

function toResult(type: string, data: TestData, section: string): CaseResult {
  const result = { section, name: data.name, ms: Math.round(data.details.duration_ms) };
  if (data.skip !== undefined && data.skip !== false)
    return { ...result, outcome: "skipped", reason: String(data.skip) };
  if (type === "test:pass") return { ...result, outcome: "passed" };
  const { error } = data.details;
  const cause = error?.cause;
  const reason = cause instanceof Error ? cause.message : (error?.message ?? "no reason");
  return { ...result, outcome: "failed", reason };
}

function print(text: string, status: number): number {
  (status === USAGE_STATUS ? process.stderr : process.stdout).write(`${text}\n`);
  return status;
}
