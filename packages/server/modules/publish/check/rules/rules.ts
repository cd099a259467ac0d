import type { Content } from "@avow/contract/published";
import { choiceRules } from "./choices.ts";
import type { Finding, Rule, Site } from "./finding.ts";
import { importRules } from "./imports.ts";
import { informingRules } from "./informing.ts";
import { linkRules } from "./links.ts";
import { looksRules } from "./looks.ts";
import { pictureRules } from "./pictures.ts";
import { regionRules } from "./regions.ts";
import { unknownVendorRules } from "./unknown-vendors.ts";
import { variantRules } from "./variants.ts";
import { wordingRules } from "./wording.ts";

/** Maximum number of returned findings. */
const FINDINGS_MAX = 500;

/** The rules of the publish check (docs/reference/publish-check.md). */
export const rules: readonly Rule[] = [
  ...unknownVendorRules,
  ...choiceRules,
  ...regionRules,
  ...variantRules,
  ...wordingRules,
  ...informingRules,
  ...looksRules,
  ...linkRules,
  ...pictureRules,
  ...importRules,
];
/** Rules about what cannot be published at all: an owner cannot override them. */
const unforceable = new Set(unknownVendorRules.map(({ id }) => id));

export function isForceable(rule: string): boolean {
  return !unforceable.has(rule);
}

export interface Check {
  /** Errors first, then in the order of the rules; at most 500. */
  findings: Finding[];
  /** Number of all errors, including those that are not listed. */
  errors: number;
  warnings: number;
}

/** All findings, in the order of the rules. */
export function findAll(content: Content, site: Site): Finding[] {
  return rules.flatMap(({ id: rule, severity, source, find }) =>
    find(content, site).map((fault): Finding => ({ rule, severity, source, ...fault })),
  );
}

/**
 * Checks a content against the legal requirements for what visitors see, as far as software can. This is not
 * legal advice.
 */
export function checkContent(content: Content, site: Site): Check {
  const all = findAll(content, site);
  const errors = all.filter(({ severity }) => severity === "error");
  const warnings = all.filter(({ severity }) => severity === "warning");
  return {
    findings: [...errors, ...warnings].slice(0, FINDINGS_MAX),
    errors: errors.length,
    warnings: warnings.length,
  };
}
