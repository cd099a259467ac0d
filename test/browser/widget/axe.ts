import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Result {
  violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[];
  passes: number;
}

/**
 * Without frames: axe-core is loaded in none of them, and would wait for an answer from each. Passing
 * elements are only counted: describing and sending them takes longer than finding them.
 */
const toRun = (
  within: string,
) => `axe.run(${JSON.stringify(within)}, { iframes: false, resultTypes: ["violations"] })
  .then(({ violations, passes }) => ({ violations, passes: passes.length }))`;

/**
 * The violations of axe-core's rules for WCAG 2.2 AA and best practices, one sentence each, in the page or `within` the
 * elements of a selector.
 */
export async function findViolations(page: Page, within = ":root"): Promise<string[]> {
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(source);
  const { violations, passes } = await page.evaluate<Result>(toRun(within));
  if (passes === 0) throw new Error("axe-core has checked no element.");
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html}: ${failureSummary}`),
  );
}
