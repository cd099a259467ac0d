import type { Content } from "@avow/contract/published";
import { choiceRules } from "./choices.ts";
import type { Finding, Rule, Site } from "./finding.ts";
import { informingRules } from "./informing.ts";
import { linkRules } from "./links.ts";
import { looksRules } from "./looks.ts";
import { pictureRules } from "./pictures.ts";
import { wordingRules } from "./wording.ts";

/** So many findings are told; who has mended these asks again. */
const FINDINGS_MAX = 500;

/** The rules of the publish check, each by its name (law: what visitors see; docs/reference/publish-check.md). */
export const rules: readonly Rule[] = [
  ...choiceRules,
  ...wordingRules,
  ...informingRules,
  ...looksRules,
  ...linkRules,
  ...pictureRules,
];

/** What the publish check says of a content. */
export interface Check {
  /** Errors first, then in the order of the rules; at most 500. */
  findings: Finding[];
  /** How many there are, also beyond those. */
  errors: number;
  warnings: number;
}

/**
 * Checks a content against what the law asks of what visitors see, as far as a machine can tell. It is
 * engineering, not legal advice.
 */
export function checkContent(content: Content, site: Site): Check {
  const all = rules.flatMap(({ id: rule, severity, source, find }) =>
    find(content, site).map((fault): Finding => ({ rule, severity, source, ...fault })),
  );
  const errors = all.filter(({ severity }) => severity === "error");
  const warnings = all.filter(({ severity }) => severity === "warning");
  return {
    findings: [...errors, ...warnings].slice(0, FINDINGS_MAX),
    errors: errors.length,
    warnings: warnings.length,
  };
}
