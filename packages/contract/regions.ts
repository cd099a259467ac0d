/**
 * How a configuration asks in a region. `opt-in`: nothing runs before consent. `opt-out`: vendors run until refused.
 * `notice`: the same, and the banner only informs. `none`: no banner.
 */
export const consentModels = ["opt-in", "opt-out", "notice", "none"] as const;
export type ConsentModel = (typeof consentModels)[number];

/** Uses of data that laws of the opt-out model name; a vendor without uses has the first three. */
export const vendorUses = ["sale", "sharing", "advertising", "sensitive"] as const;
export type VendorUse = (typeof vendorUses)[number];
/** Uses that an opt-out of sale and sharing ends (CPRA, Cal. Civ. Code §1798.120); those of a vendor without the field. */
export const soldUses: readonly VendorUse[] = ["sale", "sharing", "advertising"];

/** Matches every region that no other rule names. */
export const ANY_REGION = "*";

/** The countries of the European Economic Area, and their parts with a code of their own (ISO 3166-1 alpha-2). */
const eea =
  "AT AX BE BG CY CZ DE DK EE ES FI FR GF GP GR HR HU IE IS IT LI LT LU LV MF MQ MT NL NO PL PT RE RO SE SI SK YT";
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

const COUNTRY_LENGTH = 2;

/** A visitor's region: a country (ISO 3166-1 alpha-2), with its subdivision if known (ISO 3166-2, such as `US-CA`). */
export type Region = string;

/** The regions of a rule with its groups replaced by their regions, each once. */
export function expandRegions(regions: readonly string[]): string[] {
  return [...new Set(regions.flatMap((region) => regionGroups[region] ?? [region]))];
}

/**
 * The rule for a region: the one that names the subdivision, otherwise the country, otherwise any region. An unknown
 * region has the strictest rule, and a country without its subdivision the strictest of this country. Rules name regions, not groups (`expandRegions`).
 */
export function findRule<R extends { in: readonly string[]; model: ConsentModel }>(
  rules: readonly R[],
  region: Region | undefined,
): R | undefined {
  const find = (name: string): R | undefined => rules.find((rule) => rule.in.includes(name));
  if (region === undefined) return rules.toSorted(byStrictness)[0];
  // Edges often name the country alone: its strictest rule applies.
  if (region.length === COUNTRY_LENGTH) {
    const own = rules.filter((rule) => rule.in.some((name) => name.startsWith(region)));
    if (own[0]) return own.toSorted(byStrictness)[0];
  }
  return find(region) ?? find(region.slice(0, 2)) ?? find(ANY_REGION);
}

function byStrictness(a: { model: ConsentModel }, b: { model: ConsentModel }): number {
  return consentModels.indexOf(a.model) - consentModels.indexOf(b.model);
}
