import { styleText } from "node:util";
import { type Check, type Report, type Verdict, toHeading } from "@avow/verifier/checks";
import { describeBundle } from "@avow/verifier/describe";
import { type Language, languages } from "@avow/verifier";
import type { FoundArchive } from "./verify-dossier.ts";

const LABEL_WIDTH = 32;

/** Of an instant, a token and an answer. */
const ROW_WIDTHS = [24, 24, 10];

const marks = { proven: "✓", open: "?", broken: "✗" } as const;
const colors = { proven: "green", open: "yellow", broken: "red" } as const;

/** Prints what was found in a file, for people. */
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

/** Prints a bundle of an archive in one line, and under it what does not hold. */
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

/** Prints what was found in an archive as a whole, under its bundles: what holds, and what is only said. */
export function printArchive(
  { file, verdict, checks, notes, says }: Omit<FoundArchive, "bundles"> & { file: string },
  language: Language,
): void {
  process.stdout.write("\n");
  const said = notes.map((note) => `  ${paint("dim", "·")} ${toPrintable(note)}`);
  printChecks(file, checks, said);
  printVerdict(verdict, says ?? languages[language].verdicts[verdict]);
}

/** Prints what was looked at, under a title; `more` follows as it is. */
export function printChecks(
  title: string,
  checks: readonly Check[],
  more: readonly string[] = [],
): void {
  const lines = [paint("bold", toPrintable(title)), ...checks.map(toLine), ...more];
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** Prints what all of it adds up to. */
export function printVerdict(verdict: Verdict, says: string): void {
  process.stdout.write(`\n  ${paint("bold", paint(colors[verdict], says))}\n\n`);
}

function toLine({ holds, says }: Check): string {
  const verdict: Verdict = holds === null ? "open" : holds ? "proven" : "broken";
  return `  ${paint(colors[verdict], marks[verdict])} ${toPrintable(says)}`;
}

/** Colours for a terminal only, and not where NO_COLOR asks for none. */
function paint(style: Parameters<typeof styleText>[0], text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

/** What a file says must not steer the terminal, nor turn the direction of what follows. */
function toPrintable(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
