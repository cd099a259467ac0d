import { styleText } from "node:util";
import { toWidth } from "../instance/table.ts";

const LINE_WIDTH = 76;

/** Runs a step; it returns the text of its line, and a result for the next steps. */
export type Step = <T>(work: () => Promise<readonly [text: string, result: T]>) => Promise<T>;

/** Runs `work`, then prints its line and its duration. */
export const step: Step = async (work) => {
  const startedAt = performance.now();
  const [text, result] = await work();
  const ms = performance.now() - startedAt;
  const took = ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
  const space = " ".repeat(Math.max(1, LINE_WIDTH - toWidth(text) - took.length));
  console.log(`  ${styled("green", "✓")} ${text}${space}${styled("dim", took)}`);
  return result;
};

export function printHeading(text: string): void {
  console.log(`\n${styled("bold", text)}\n`);
}

/** Styles a text if the output is a terminal with styles. */
export function styled(format: "bold" | "dim" | "green" | "red", text: string): string {
  return styleText(format, text, { stream: process.stdout });
}
