import type { RegionRule } from "@avow/client/operations";
import { toList, toRegionName } from "../../browser/format.ts";
import { regionWords } from "../../words/regions/words.ts";

const REGIONS_NAMED = 3;

/** The regions of a rule by name; long lists are shortened. */
export function toRuleName({ in: regions }: Pick<RegionRule, "in">): string {
  const { groups } = regionWords.value;
  const names = regions.map((code) => groups[code] ?? toRegionName(code));
  const more = names.length - REGIONS_NAMED;
  return toList(more > 1 ? [...names.slice(0, REGIONS_NAMED), `+ ${more}`] : names);
}
