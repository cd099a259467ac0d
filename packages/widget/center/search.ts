import { element } from "../banner/dom.ts";
import type { Say } from "../core/words.ts";

/** A field that shows only the vendors whose texts contain its value. */
export function toSearch(groups: readonly HTMLElement[], say: Say): Node {
  const none = element("p", { class: "soft", role: "status" });
  const input = element("input", {
    type: "search",
    placeholder: say("search"),
    "aria-label": say("search"),
    oninput() {
      const wanted = simplify(input.value);
      for (const group of groups) filterGroup(group, wanted);
      none.textContent = groups.every(({ hidden }) => hidden) ? say("noMatch") : "";
    },
  });
  return element("div", { class: "search" }, input, none);
}

function filterGroup(group: HTMLElement, wanted: string): void {
  const items = [...group.querySelectorAll<HTMLElement>(".vendors > li")];
  for (const item of items) item.hidden = !simplify(item.textContent).includes(wanted);
  group.hidden = wanted !== "" && items.every(({ hidden }) => hidden);
  const list = group.querySelector<HTMLDetailsElement>("details.list");
  if (list) list.open = wanted !== "";
}

/** Without case and accents. */
function simplify(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
}
