import { element } from "../banner/dom.ts";
import type { Say } from "../core/words.ts";
import type { List } from "./list.ts";
import { sayWith } from "./shown.ts";

/**
 * What TCF's policies ask the first layer to tell: what is stored and processed, by how many, what for,
 * that one may object, and where to come back. The names of what it is for are left to the choices where
 * these follow.
 */
export function toSummary(list: List, say: Say, hasChoices: boolean): Node[] {
  const { texts, vendors, interests } = list;
  const count = vendors.length;
  const named = [...Object.values(texts.purposes), ...Object.values(texts.specialFeatures)];
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
