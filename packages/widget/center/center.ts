import type { Center } from "../banner/banner.ts";
import { toSheet } from "../banner/dom.ts";
import css from "./center.css";
import { toGroup } from "./group.ts";
import { toSearch } from "./search.ts";

/** Up to this number, all vendors are shown. Otherwise each category's list is closed, and they can be searched. */
const VENDORS_SHOWN = 10;

/** The preference center: one list of categories with their vendors. */
export const center: Center = {
  sheet: toSheet(css),
  toGroups(steps, { sayFor, chosen, isAsked, imported, iab }, isFirst) {
    const count = steps.reduce((sum, { vendors = [] }) => sum + vendors.length, 0);
    const isOpen = count <= VENDORS_SHOWN;
    const groups = steps.map((step, at) => {
      const say = sayFor(step);
      const main = iab?.toMain(step, say, isFirst && at === 0);
      // The only category of the first layer has its title in the header.
      const isTitled = !isFirst || steps.length > 1;
      return toGroup(step, { chosen, isAsked, imported, say, main, isTitled, isOpen });
    });
    const [first] = steps;
    return [!isOpen && first && toSearch(groups, sayFor(first)), ...groups];
  },
};
