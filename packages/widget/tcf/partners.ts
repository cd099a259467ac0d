import { element } from "../banner/dom.ts";
import { toLink } from "../banner/html.ts";
import { toSwitch } from "../center/switch.ts";
import { asksConsent, hasInterest } from "./draft.ts";
import type { GoogleProvider, TcfVendor } from "@avow/contract/tcf";
import { toFacts } from "./facts.ts";
import { type TcfView, sayWith, toObjection, toggle } from "./shown.ts";

/** Maximum duration of one batch, in which the page is blocked. */
const PART_MS = 12;

/** The vendors with their switches and declarations, rendered in batches when the list is opened. */
export function toPartners(shown: TcfView): Node {
  const { list, draft, say } = shown;
  const { vendors, providers } = list;
  const asking = vendors.filter(asksConsent);
  const count = asking.length + providers.length;
  const inputs: HTMLInputElement[] = [];
  const isEvery = (): boolean =>
    asking.every(({ id }) => draft.vendors.has(id)) &&
    providers.every(({ id }) => draft.providers.has(id));
  const all = toSwitch(say("tcfAllPartners"), count > 0 && isEvery(), (isOn) => {
    for (const { id } of asking) toggle(draft.vendors, id, isOn);
    for (const { id } of providers) toggle(draft.providers, id, isOn);
    for (const input of inputs) input.checked = isOn;
  });
  const toChoice = (name: string, ids: Set<number>, id: number): Node => {
    const made = toSwitch(name, ids.has(id), (isOn) => {
      toggle(ids, id, isOn);
      all.input.checked = isEvery();
    });
    inputs.push(made.input);
    return made.label;
  };
  const rows = element("ul", { class: "vendors", role: "list" });
  const addVendor = (vendor: TcfVendor): void => {
    const isAsking = asksConsent(vendor);
    const label = isAsking ? toChoice(vendor.name, draft.vendors, vendor.id) : undefined;
    rows.append(toRow(shown, vendor, label));
  };
  const addProvider = ({ id, name, policyUrl }: GoogleProvider): void => {
    const link = policyUrl && element("p", { class: "soft" }, toLink(policyUrl, say("policy")));
    rows.append(element("li", {}, toChoice(name, draft.providers, id), link));
  };
  const adding = [
    ...vendors.map((one) => () => addVendor(one)),
    ...providers.map((one) => () => addProvider(one)),
  ];
  const once = { once: true };
  const block = element(
    "details",
    { class: "partners" },
    element("summary", {}, sayWith(say, "tcfShow", { count: list.partners })),
    rows,
  );
  block.addEventListener("toggle", () => inParts(adding, () => rows.isConnected), once);
  return element("div", {}, count > 1 && all.label, block);
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

/** Adds rows in batches, and yields to the browser between them. */
function inParts(adding: readonly (() => void)[], isWanted: () => boolean): void {
  const rest = adding[Symbol.iterator]();
  const work = (): void => {
    if (!isWanted()) return;
    const end = performance.now() + PART_MS;
    for (let next = rest.next(); !next.done; next = rest.next()) {
      next.value();
      if (performance.now() > end) {
        setTimeout(work);
        return;
      }
    }
  };
  work();
}
