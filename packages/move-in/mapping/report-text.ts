import type { ReportLine } from "./report.ts";

const headings = {
  decide: "Decide",
  "not mapped": "Not mapped",
  changed: "Changed",
  invalid: "Invalid in the source",
} as const;

interface ReportText {
  /** The name of the old product. */
  product: string;
  /** The names or addresses of the files. */
  sources: readonly string[];
  disclaimer: string;
  lines: readonly ReportLine[];
  /** Lines beyond the limit. */
  omitted: number;
}

/** The report for people, in English: each reason once, with everything it is for. */
export function toReportText({ product, sources, disclaimer, lines, omitted }: ReportText): string {
  const parts = [`Moving in from ${product}`, `Sources: ${sources.join(", ")}`, "", disclaimer];
  for (const [kind, heading] of Object.entries(headings)) {
    const own = lines.filter((line) => line.kind === kind);
    if (own.length === 0) continue;
    parts.push("", `${heading} (${own.length})`);
    const reasons = Map.groupBy(own, ({ reason }) => reason);
    for (const [reason, list] of reasons)
      parts.push("", reason, ...toPaths(list.map(({ path }) => path)));
  }
  if (omitted > 0) parts.push("", `${omitted} further lines were left out.`);
  return `${parts.join("\n")}\n`;
}

/** Lines of paths; those of many entries of a list are one. */
function toPaths(paths: readonly string[]): string[] {
  const entries = Map.groupBy(paths, (path) => path.replaceAll(/\[\d+\]/g, "[*]"));
  return [...entries].map(([name, all]) =>
    all.length === 1 ? `  - ${all[0] ?? name}` : `  - ${name} (${all.length} times)`,
  );
}
