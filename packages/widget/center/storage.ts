import { type Child, element } from "../banner/dom.ts";
import type { Vendor } from "../core/site.ts";
import type { Say } from "../core/words.ts";

/** The cookies and storage keys of a vendor: name, purpose, duration and provider of each. */
export function toStorage({ storage = [] }: Vendor, say: Say): Child {
  const items = storage.map(({ name, purpose, duration, provider }) =>
    element(
      "li",
      {},
      element("code", {}, name),
      purpose && element("p", {}, purpose),
      toFact(say("duration"), duration),
      toFact(say("provider"), provider),
    ),
  );
  return (
    items[0] &&
    element(
      "div",
      { class: "stored" },
      element("h4", {}, say("storage")),
      element("ul", {}, ...items),
    )
  );
}

function toFact(label: string, value: string | undefined): Child {
  return value && element("p", {}, `${label}: ${value}`);
}
