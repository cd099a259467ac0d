import { element } from "../banner/dom.ts";
import type { Say } from "../core/words.ts";
import { type List, listPurposes } from "./list.ts";
import { sayWith } from "./shown.ts";

/**
 * The information that TCF's policies require in the first layer: storage and processing, the number of vendors, the
 * purposes, the right to object, and how to reopen the choices. The names of purposes are omitted if the choices follow.
 */
export function toSummary(list: List, say: Say, hasChoices: boolean): Node[] {
  const { texts, partners: count, interests } = list;
  const named = [...listPurposes(list), ...Object.values(texts.specialFeatures)];
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
        ...named.map(({ name }) => element("li", {}, name)),
      ),
  ].filter((part) => part !== false);
}
