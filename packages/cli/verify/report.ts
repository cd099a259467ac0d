import { styleText } from "node:util";
import { type Check, type Report, type Verdict, toHeading } from "@avow/verifier/checks";
import { describeBundle } from "@avow/verifier/describe";
import { type Language, languages } from "@avow/verifier";
import type { ArchiveReport } from "./verify-audit-package.ts";

const LABEL_WIDTH = 32;

/** Column widths: an instant, a token and an answer. */
const ROW_WIDTHS = [24, 24, 10];

const marks = { proven: "✓", open: "?", broken: "✗" } as const;
const colors = { proven: "green", open: "yellow", broken: "red" } as const;

/** Prints the report of one file. */
export function printReport(
  { file, verdict, checks, bundle }: Report & { file: string },
  language: Language,
): void {
  const words = languages[language];
  const lines: string[] = [];
  if (bundle && verdict !== "broken") {
    lines.push("");
    for (const { label, value } of describeBundle(bundle, words)) {
      const name = toPrintable(label).padEnd(LABEL_WIDTH);
      const [first = "", ...more] = value.split("\n").map(toPrintable);
      lines.push(`  ${paint("dim", name)} ${first}`);
      for (const line of more) lines.push(`  ${" ".repeat(LABEL_WIDTH)} ${line}`);
    }
  }
  printChecks(file, checks, lines);
  printVerdict(verdict, toHeading({ verdict, checks }, words));
}

/** Prints a bundle of an archive on one line, followed by its failed checks. */
export function printRow(
  { file, verdict, checks, bundle }: Report & { file: string },
  language: Language,
): void {
  const words = languages[language];
  const rows = bundle ? describeBundle(bundle, words) : [];
  const record = bundle?.kind === "consent" ? bundle.consent.record : {};
  const cells = [record["createdAt"], record["token"], rows[0]?.value].map((cell, at) =>
    toPrintable(typeof cell === "string" ? cell : "").padEnd(ROW_WIDTHS[at] ?? 0),
  );
  const line = `${paint(colors[verdict], marks[verdict])} ${cells.join("  ")}  ${paint("dim", toPrintable(file))}`;
  const faults = checks.filter(({ holds }) => holds === false).map((check) => `  ${toLine(check)}`);
  process.stdout.write(`${[line, ...faults].join("\n")}\n`);
}

/** Prints the report of a whole archive after its bundles: checks, and notes on unproven content. */
export function printArchive(
  { file, verdict, checks, notes, says }: Omit<ArchiveReport, "bundles"> & { file: string },
  language: Language,
): void {
  process.stdout.write("\n");
  const lines = notes.map((note) => `  ${paint("dim", "·")} ${toPrintable(note)}`);
  printChecks(file, checks, lines);
  printVerdict(verdict, says ?? languages[language].verdicts[verdict]);
}

/** Prints checks under a title, followed by the lines of `more`. */
export function printChecks(
  title: string,
  checks: readonly Check[],
  more: readonly string[] = [],
): void {
  const lines = [paint("bold", toPrintable(title)), ...checks.map(toLine), ...more];
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** Prints the verdict of all checks. */
export function printVerdict(verdict: Verdict, says: string): void {
  process.stdout.write(`\n  ${paint("bold", paint(colors[verdict], says))}\n\n`);
}

function toLine({ holds, says }: Check): string {
  const verdict: Verdict = holds === null ? "open" : holds ? "proven" : "broken";
  return `  ${paint(colors[verdict], marks[verdict])} ${toPrintable(says)}`;
}

/** Colours only for a terminal, and not with NO_COLOR. */
function paint(style: Parameters<typeof styleText>[0], text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

/** Escapes control and formatting characters, so that a file cannot control the terminal or the text direction. */
function toPrintable(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
