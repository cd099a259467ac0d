import { performance } from "node:perf_hooks";

type Outcome = "passed" | "failed" | "skipped";

export interface CaseResult {
  section: string;
  name: string;
  outcome: Outcome;
  ms: number;
  /** The reason of a failure or of a skip. */
  reason?: string;
}

const outcomes: readonly Outcome[] = ["passed", "failed", "skipped"];

/** Counts of each section in the order of the run, with a line of totals. */
function toSummary(results: readonly CaseResult[]): string {
  const sections = [...new Set(results.map(({ section }) => section))];
  const count = (section: string | undefined, outcome: Outcome) =>
    results.filter(
      (result) =>
        result.outcome === outcome && (section === undefined || result.section === section),
    ).length;
  const toRow = (label: string, section: string | undefined) => [
    label,
    ...outcomes.map((outcome) => String(count(section, outcome))),
  ];
  const rows = [
    ["section", ...outcomes],
    ...sections.map((section) => toRow(section, section)),
    toRow("total", undefined),
  ];
  const width = Math.max(...rows.map(([label = ""]) => label.length));
  return rows
    .map(([label = "", ...cells]) =>
      [label.padEnd(width), ...cells.map((cell) => cell.padStart(8))].join(" "),
    )
    .join("\n");
}

/** Failures with their exchanges, skips with their reasons, and the counts. */
export function toReport(results: readonly CaseResult[], baseUrl: string, startMs: number): string {
  const select = (outcome: Outcome) => results.filter((result) => result.outcome === outcome);
  const failures = select("failed").map(
    ({ section, name, reason = "" }) =>
      `✗ ${section}: ${name}\n${reason.replaceAll(/^/gm, "    ")}\n`,
  );
  const skips = select("skipped").map(
    ({ section, name, reason = "" }) => `- ${section}: ${name}\n    ${reason}`,
  );
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  return [
    ...(failures.length > 0 ? ["Failed", "", ...failures] : []),
    ...(skips.length > 0 ? ["Skipped", "", ...skips, ""] : []),
    toSummary(results),
    "",
    `${baseUrl} in ${seconds} s`,
  ].join("\n");
}
