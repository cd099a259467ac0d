import { element } from "../banner/dom.ts";
import { toSwitch } from "../banner/vendors.ts";
import { asksConsent, hasInterest } from "./draft.ts";
import type { TcfVendor } from "@avow/contract/tcf";
import { toFacts } from "./facts.ts";
import { type Shown, sayWith, toObjection, toggle } from "./shown.ts";

/** For as long at most the page's own work waits for ours. */
const PART_MS = 12;

/** The vendors, each with its own switches and what it declares: made when somebody opens the list, in parts. */
export function toPartners(shown: Shown): Node {
  const { list, draft, say } = shown;
  const { vendors } = list;
  const asking = vendors.filter(asksConsent);
  const inputs = new Map<number, HTMLInputElement>();
  const isEvery = (): boolean => asking.every(({ id }) => draft.vendors.has(id));
  const all = toSwitch(say("tcfAllPartners"), asking.length > 0 && isEvery(), (isOn) => {
    for (const { id } of asking) {
      toggle(draft.vendors, id, isOn);
      const input = inputs.get(id);
      if (input) input.checked = isOn;
    }
  });
  const rows = element("ul", { class: "vendors", role: "list" });
  const add = (vendor: TcfVendor): void => {
    const { id, name } = vendor;
    const made = toSwitch(name, draft.vendors.has(id), (isOn) => {
      toggle(draft.vendors, id, isOn);
      all.input.checked = isEvery();
    });
    inputs.set(id, made.input);
    rows.append(toRow(shown, vendor, asksConsent(vendor) ? made.label : undefined));
  };
  const once = { once: true };
  const block = element(
    "details",
    { class: "partners" },
    element("summary", {}, sayWith(say, "tcfShow", { count: vendors.length })),
    rows,
  );
  block.addEventListener("toggle", () => inParts(vendors, add, () => rows.isConnected), once);
  const isAsking = asking.length > 1;
  return element("div", {}, isAsking && all.label, block);
}

function toRow(shown: Shown, vendor: TcfVendor, label: Node | undefined): Node {
  const { draft, say } = shown;
  const { id, name } = vendor;
  const facts = element(
    "details",
    { class: "soft" },
    element("summary", { "aria-label": `${say("details")}: ${name}` }, say("details")),
  );
  facts.addEventListener("toggle", () => facts.append(toFacts(shown, vendor)), { once: true });
  return element(
    "li",
    {},
    label ?? element("p", { class: "label" }, element("span", {}, name)),
    hasInterest(vendor) && toObjection(shown, name, draft.objectedVendors, id),
    facts,
  );
}

/** Does something for each item, and lets the browser do its own in between. */
function inParts<T>(items: readonly T[], add: (item: T) => void, isWanted: () => boolean): void {
  const rest = items[Symbol.iterator]();
  const work = (): void => {
    if (!isWanted()) return;
    const end = performance.now() + PART_MS;
    for (let next = rest.next(); !next.done; next = rest.next()) {
      add(next.value);
      if (performance.now() > end) {
        setTimeout(work);
        return;
      }
    }
  };
  work();
}
