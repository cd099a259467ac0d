import { styleText } from "node:util";
import type { Check, Report, Verdict } from "../verifier/checks.ts";
import { describeRecord } from "../verifier/describe.ts";
import { type Language, languages } from "../verifier/verify.ts";

const LABEL_WIDTH = 32;

const colors = { proven: "green", open: "yellow", broken: "red" } as const;

/** Prints what was found in a file, for people. */
export function printReport(
  { file, verdict, checks, bundle }: Report & { file: string },
  language: Language,
): void {
  const words = languages[language];
  const lines = [paint("bold", toPrintable(file)), ...checks.map(toLine)];
  if (bundle && verdict !== "broken") {
    lines.push("");
    for (const { label, value } of describeRecord(bundle.consent.record, words)) {
      const name = toPrintable(label).padEnd(LABEL_WIDTH);
      const [first = "", ...more] = value.split("\n").map(toPrintable);
      lines.push(`  ${paint("dim", name)} ${first}`);
      for (const line of more) lines.push(`  ${" ".repeat(LABEL_WIDTH)} ${line}`);
    }
  }
  lines.push("", `  ${paint("bold", paint(colors[verdict], words.verdicts[verdict]))}`, "");
  process.stdout.write(`${lines.join("\n")}\n`);
}

function toLine({ holds, says }: Check): string {
  const [mark, verdict]: [string, Verdict] =
    holds === null ? ["?", "open"] : holds ? ["✓", "proven"] : ["✗", "broken"];
  return `  ${paint(colors[verdict], mark)} ${toPrintable(says)}`;
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
