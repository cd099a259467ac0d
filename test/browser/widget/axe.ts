import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Result {
  violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[];
  passes: unknown[];
}

/** What axe-core finds on a page, of its rules for WCAG 2.2 AA and of good practice, one sentence each. */
export async function findViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(source);
  const { violations, passes }: Result = await page.evaluate(
    // Without frames: axe-core is in none of them, and would wait for an answer of each.
    "axe.run(document, { iframes: false })",
  );
  if (passes.length === 0) throw new Error("axe-core has looked at nothing.");
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html}: ${failureSummary}`),
  );
}
