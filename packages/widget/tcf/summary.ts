import { element } from "../banner/dom.ts";
import type { Say } from "../core/words.ts";
import { type List, groupPurposes } from "./list.ts";
import { sayWith } from "./shown.ts";

/**
 * The information that TCF's policies require in the first layer: storage and processing, the number of vendors, the
 * purposes in IAB's stacks, the right to object, and how to reopen the choices. The names of purposes are omitted if the choices
 * follow.
 */
export function toSummary(list: List, say: Say, hasChoices: boolean): Node[] {
  const { texts, partners: count, interests } = list;
  const stacks = Object.values(texts.stacks);
  const alone = [
    ...groupPurposes(list).flatMap(({ stack, purposes }) => (stack ? [] : purposes)),
    ...Object.values(texts.specialFeatures).filter(
      ({ id }) => !stacks.some(({ specialFeatures }) => specialFeatures.includes(id)),
    ),
  ];
  const soft = { class: "soft" };
  return [
    element("p", {}, sayWith(say, "tcfIntro", { count })),
    interests.size > 0 &&
      element("p", soft, sayWith(say, "tcfInterest", { name: say("refuseAll") })),
    element("p", soft, sayWith(say, "tcfScope", { name: say("settings") })),
    !hasChoices && element("h3", {}, say("tcfFor")),
    !hasChoices &&
      element(
        "ul",
        { class: "soft names", lang: list.language },
        ...stacks.map(({ name, description }) =>
          element(
            "li",
            {},
            element(
              "details",
              {},
              element("summary", {}, name.trim()),
              element("p", {}, description.trim()),
            ),
          ),
        ),
        ...alone.map(({ name }) => element("li", {}, name)),
      ),
  ].filter((part) => part !== false);
}
