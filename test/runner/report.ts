import { styleText } from "node:util";
import type { TestResult } from "./messages.ts";
import type { FileRun } from "./pool.ts";

const SLOWEST_FILES = 10;

export interface Report {
  addFile(run: FileRun): void;
  /**
   * Prints the failures, the slowest files, the names of failed tests and the totals; a log is often read
   * from its end. Returns undefined if all files ran, at least one test did, and all passed; otherwise the files
   * that failed.
   */
  finish(): string[] | undefined;
}

/** Prints a line for each file as it ends; with `isVerbose` a line for each test. */
export function openReport({
  fileCount,
  isVerbose,
}: {
  fileCount: number;
  isVerbose: boolean;
}): Report {
  const startedAt = performance.now();
  const runs: FileRun[] = [];
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  return {
    addFile(run) {
      runs.push(run);
      const failed = run.tests.filter(({ outcome }) => outcome === "failed");
      if (isVerbose) for (const result of run.tests) print(toTestLine(result));
      else {
        const progress = `${runs.length}/${fileCount}`.padStart(String(fileCount).length * 2 + 1);
        print(`${styleText("dim", progress)} ${toMark(failed.length === 0)} ${toFileLine(run)}`);
        for (const { names } of failed) print(styleText("red", `      ${names.join(" › ")}`));
      }
    },
    finish() {
      const failedRuns = runs.filter(({ tests }) => tests.some(isFailed));
      if (failedRuns.length > 0) print(styleText("bold", "\nFailures"));
      for (const run of failedRuns) printFailures(run, print);
      if (runs.length > 1) {
        print(styleText("bold", "\nSlowest files"));
        for (const run of runs.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST_FILES))
          print(`${toSeconds(run.ms).padStart(8)}  ${run.file}`);
      }
      if (failedRuns.length > 0) print(styleText("bold", "\nFailed tests"));
      for (const { file, tests } of failedRuns)
        for (const { names } of tests.filter(isFailed)) print(toFailedLine(file, names));
      const all = runs.flatMap(({ tests }) => tests);
      const count = (outcome: TestResult["outcome"]): number =>
        all.filter((result) => result.outcome === outcome).length;
      for (const [reason, skipped] of countReasons(all)) print(`\n${skipped} skipped: ${reason}`);
      const elapsed = toSeconds(performance.now() - startedAt);
      print(
        `\n${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped` +
          styleText("dim", ` in ${elapsed}`),
      );
      if (runs.length < fileCount) print(`Stopped after ${runs.length} of ${fileCount} files.`);
      else if (all.length === 0) print("No test ran.");
      const isComplete = runs.length === fileCount && all.length > 0;
      const failed = failedRuns.map(({ file }) => file);
      return isComplete && failed.length === 0 ? undefined : failed;
    },
  };
}

function printFailures({ file, tests, output }: FileRun, print: (line: string) => void): void {
  for (const { names, error } of tests.filter(isFailed)) {
    print(`\n${toFailedLine(file, names)}`);
    print(indent(error ?? ""));
  }
  if (output.trim() !== "") print(`\n  Output of ${file}:\n${indent(output.trimEnd())}`);
}

function isFailed({ outcome }: TestResult): boolean {
  return outcome === "failed";
}

function toMark(isGood: boolean): string {
  return isGood ? styleText("green", "✔") : styleText("red", "✖");
}

function toFailedLine(file: string, names: readonly string[]): string {
  return `${toMark(false)} ${[file, ...names].filter(Boolean).join(" › ")}`;
}

function toTestLine({ names, outcome, ms, reason }: TestResult): string {
  const name = names.join(" › ");
  if (outcome === "skipped")
    return `${styleText("dim", "-")} ${name} ${styleText("dim", reason ?? "skipped")}`;
  return `${toMark(outcome === "passed")} ${name} ${styleText("dim", `${Math.round(ms)} ms`)}`;
}

function toFileLine({ file, ms, tests }: FileRun): string {
  const skipped = tests.filter(({ outcome }) => outcome === "skipped").length;
  const note = skipped > 0 ? `, ${skipped} skipped` : "";
  return `${file} ${styleText("dim", `${tests.length - skipped} tests${note}, ${toSeconds(ms)}`)}`;
}

function countReasons(results: readonly TestResult[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { reason } of results)
    if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts;
}

function toSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "    ");
}
