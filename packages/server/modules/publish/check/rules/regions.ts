import type { RegionRule } from "@avow/contract/configuration";
import { ANY_REGION, expandRegions, findRule, regionGroups } from "@avow/contract/regions";
import { type Content, vendorsOf } from "@avow/contract/published";
import type { Fault, Rule } from "./finding.ts";

/** Countries whose law requires consent: the EEA, the United Kingdom and Switzerland, Brazil. */
const optInRegions = [...(regionGroups["EEA"] ?? []), "GB", "CH", "BR"];
const optOutRegions = regionGroups["US_PRIVACY"] ?? [];
const REGIONS_SHOWN = 5;

interface Ruled {
  rules: readonly RegionRule[];
  path: string;
  vendors: ReadonlySet<string>;
}

/** The configurations with rules by region. */
function listRuled(content: Content): Ruled[] {
  return content.cookies.flatMap((one, at) => {
    const { regions: rules = [] } = one;
    const vendors = new Set(vendorsOf(one).keys());
    return rules.length > 0 ? [{ rules, path: `/cookies/${at}/regions`, vendors }] : [];
  });
}

/** The regions whose rule is none of these models, by the path of the rule. */
function findWrong(
  { rules, path }: Ruled,
  regions: readonly string[],
  models: readonly RegionRule["model"][],
): { path: string; model: string; regions: string }[] {
  const expanded = rules.map((rule) => ({ ...rule, in: expandRegions(rule.in) }));
  return expanded.flatMap((rule, at) => {
    const wrong = regions.filter((region) => findRule(expanded, region) === rule);
    if (models.includes(rule.model) || wrong.length === 0) return [];
    const more = wrong.length > REGIONS_SHOWN ? " …" : "";
    const shown = wrong.slice(0, REGIONS_SHOWN).join(", ") + more;
    return [{ path: `${path}/${at}/model`, model: rule.model, regions: shown }];
  });
}

/** The law of these regions requires consent before storage or processing. */
const optInRequired: Rule = {
  id: "region-opt-in-required",
  severity: "error",
  source: "ePrivacy Directive, article 5(3); UK PECR, regulation 6; LGPD, article 8",
  find: (content) =>
    listRuled(content).flatMap((ruled) =>
      findWrong(ruled, optInRegions, ["opt-in"]).map(({ path, model, regions }): Fault => ({
        path,
        message: `Visitors from ${regions} are not asked for consent: the model is “${model}”.`,
        about: [regions, model],
        fix: "Add a rule with the model “opt-in” for these regions.",
      })),
    ),
};

/** The law of these states requires a way to opt out. */
const optOutRequired: Rule = {
  id: "region-opt-out-required",
  severity: "warning",
  source: "CPRA, Cal. Civ. Code §1798.120; privacy laws of other states of the US",
  find: (content) =>
    listRuled(content).flatMap((ruled) =>
      findWrong(ruled, optOutRegions, ["opt-in", "opt-out"]).map(
        ({ path, model, regions }): Fault => ({
          path,
          message: `Visitors from ${regions} cannot opt out: the model is “${model}”.`,
          about: [regions, model],
          fix: "Add a rule with the model “opt-out” for these regions.",
        }),
      ),
    ),
};

/** In the model opt-in nothing is on before the visitor switches it on. */
const optInDefault: Rule = {
  id: "region-opt-in-default",
  severity: "error",
  source: "GDPR recital 32; CJEU C-673/17 (Planet49)",
  find: (content) =>
    listRuled(content).flatMap(({ rules, path }) =>
      rules.flatMap(({ model, defaults = {} }, at) =>
        Object.keys(defaults)
          .filter((vendor) => model === "opt-in" && defaults[vendor])
          .map((vendor): Fault => ({
            path: `${path}/${at}/defaults/${vendor}`,
            message: `“${vendor}” runs by default, although the model is “opt-in”.`,
            about: [vendor],
            fix: "Remove this default, or select another model.",
          })),
      ),
    ),
};

/** Only the first rule for a region applies. */
const regionTwice: Rule = {
  id: "region-twice",
  severity: "warning",
  source: "docs/reference/widget.md, Regions",
  find: (content) =>
    listRuled(content).flatMap(({ rules, path }) => {
      const seen = new Set<string>();
      return rules.flatMap((rule, at) => {
        const own = expandRegions(rule.in);
        const twice = own.filter((region) => seen.has(region));
        for (const region of own) seen.add(region);
        if (twice.length === 0) return [];
        const shown = twice.slice(0, REGIONS_SHOWN).join(", ");
        return [
          {
            path: `${path}/${at}/in`,
            message: `An earlier rule applies to ${shown}.`,
            about: [shown],
            fix: "Remove the region from one of the rules.",
          },
        ];
      });
    }),
};

/** Regions without a rule are asked for consent. */
const regionRest: Rule = {
  id: "region-rest",
  severity: "warning",
  source: "docs/reference/widget.md, Regions",
  find: (content) =>
    listRuled(content).flatMap(({ rules, path }) =>
      rules.some((rule) => rule.in.includes(ANY_REGION))
        ? []
        : [
            {
              path,
              message:
                "No rule applies to all other regions: their visitors are asked for consent.",
              about: [],
              fix: `Add a rule for “${ANY_REGION}”.`,
            },
          ],
    ),
};

/** A default must belong to a vendor of the configuration. */
const unknownDefault: Rule = {
  id: "region-unknown-vendor",
  severity: "warning",
  source: "docs/reference/widget.md, Regions",
  find: (content) =>
    listRuled(content).flatMap(({ rules, path, vendors }) =>
      rules.flatMap(({ defaults = {} }, at) =>
        Object.keys(defaults)
          .filter((vendor) => !vendors.has(vendor))
          .map((vendor): Fault => ({
            path: `${path}/${at}/defaults/${vendor}`,
            message: `The configuration has no vendor “${vendor}”.`,
            about: [vendor],
            fix: "Remove this default, or add the vendor.",
          })),
      ),
    ),
};

export const regionRules: readonly Rule[] = [
  optInRequired,
  optOutRequired,
  optInDefault,
  regionTwice,
  regionRest,
  unknownDefault,
];
