/**
 * How a configuration asks in a region. `opt-in`: nothing runs before consent. `opt-out`: vendors run until refused.
 * `notice`: the same, and the banner only informs. `none`: no banner.
 */
export const consentModels = ["opt-in", "opt-out", "notice", "none"] as const;
export type ConsentModel = (typeof consentModels)[number];

/** Matches every region that no other rule names. */
export const ANY_REGION = "*";

/** The countries of the European Economic Area (ISO 3166-1 alpha-2). */
const eea =
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK";
/**
 * States of the United States with a comprehensive privacy law in force in November 2026 (IAPP, US State Privacy
 * Legislation Tracker).
 */
const usStates = "CA CO CT DE FL IA IN KY MD MN MT NE NH NJ OR RI TN TX UT VA";

/** Groups that a rule can name instead of their regions. */
export const regionGroups: Readonly<Record<string, readonly string[]>> = {
  EEA: eea.split(" "),
  US_PRIVACY: usStates.split(" ").map((state) => `US-${state}`),
};

/** A visitor's region: a country (ISO 3166-1 alpha-2), with its subdivision if known (ISO 3166-2, such as `US-CA`). */
export type Region = string;

/** The regions of a rule with its groups replaced by their regions, each once. */
export function expandRegions(regions: readonly string[]): string[] {
  return [...new Set(regions.flatMap((region) => regionGroups[region] ?? [region]))];
}

/**
 * The rule for a region: the one that names the subdivision, otherwise the country, otherwise any region. An unknown
 * region has the strictest rule. Rules name regions, not groups (`expandRegions`).
 */
export function findRule<R extends { in: readonly string[]; model: ConsentModel }>(
  rules: readonly R[],
  region: Region | undefined,
): R | undefined {
  const find = (name: string): R | undefined => rules.find((rule) => rule.in.includes(name));
  if (region === undefined) return rules.toSorted(byStrictness)[0];
  return find(region) ?? find(region.slice(0, 2)) ?? find(ANY_REGION);
}

function byStrictness(a: { model: ConsentModel }, b: { model: ConsentModel }): number {
  return consentModels.indexOf(a.model) - consentModels.indexOf(b.model);
}
