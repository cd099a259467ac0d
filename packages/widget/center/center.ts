import { VENDORS_SHOWN_MAX } from "@avow/contract/published";
import { type Center, toHeader, toSection } from "../banner/banner.ts";
import { element, toSheet } from "../banner/dom.ts";
import css from "./center.css";
import { toGroup } from "./group.ts";
import { toSearch } from "./search.ts";

const sheet = toSheet(css);

/** One list of categories with their vendors. */
export const toContent: Center["toContent"] = (dialog, steps, options) => {
  const { sayFor, chosen, isAsked, imported, iab, isReopened, onAnswer } = options;
  const [first] = options.steps;
  if (!first) return [];
  const { adoptedStyleSheets } = dialog.getRootNode() as ShadowRoot;
  if (!adoptedStyleSheets.includes(sheet)) adoptedStyleSheets.push(sheet);
  /** Whether the choices are the first layer. */
  const isFirst = !isReopened && steps === options.steps;
  if (!isFirst) dialog.className = "all";
  const say = sayFor(first);
  const close = element(
    "button",
    { class: "x", "aria-label": say("close"), onclick: () => onAnswer(undefined) },
    "×",
  );
  const count = steps.reduce((sum, { vendors = [] }) => sum + vendors.length, 0);
  const isOpen = count <= VENDORS_SHOWN_MAX;
  const groups = steps.map((step, at) =>
    toGroup(step, {
      chosen,
      isAsked,
      imported,
      say: sayFor(step),
      main: iab?.toMain(step, sayFor(step), isFirst && at === 0),
      // The only category of the first layer has its title in the header.
      isTitled: !isFirst || steps.length > 1,
      isOpen,
    }),
  );
  return [
    isFirst ? toHeader(first) : toHeader({ name: say("settings") }, close),
    toSection(options, !isOpen && toSearch(groups, say), ...groups),
  ];
};
