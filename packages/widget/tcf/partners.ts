import { element } from "../banner/dom.ts";
import { toSwitch } from "../center/switch.ts";
import { asksConsent, hasInterest } from "./draft.ts";
import type { TcfVendor } from "@avow/contract/tcf";
import { toFacts } from "./facts.ts";
import { type TcfView, sayWith, toObjection, toggle } from "./shown.ts";

/** Maximum duration of one batch, in which the page is blocked. */
const PART_MS = 12;

/** The vendors with their switches and declarations, rendered in batches when the list is opened. */
export function toPartners(shown: TcfView): Node {
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

function toRow(shown: TcfView, vendor: TcfVendor, label: Node | undefined): Node {
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

/** Adds items in batches, and yields to the browser between them. */
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
