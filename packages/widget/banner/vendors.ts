import { type Child, element, toImage } from "./dom.ts";
import { toLink } from "./html.ts";
import type { Step, Vendor } from "../core/site.ts";
import type { Say } from "../core/words.ts";

/** The state of each vendor's switch. */
export type VendorChoices = Map<string, boolean>;

interface Options {
  chosen: VendorChoices;
  isAsked: (vendor: string) => boolean;
  say: Say;
}

/** The vendors of a step: a switch for each that is asked, and their details. */
export function toVendors(step: Step, { chosen, isAsked, say }: Options): Child {
  const vendors = (step.vendors ?? []).filter(({ name, required }) => required || isAsked(name));
  if (!vendors[0]) return false;
  const asked = vendors.filter(({ required }) => !required);
  const isEvery = (): boolean => asked.every(({ name }) => chosen.get(name));
  const switches = new Map(
    asked.map(({ name, title = name, shortDescription }) => {
      const made = toSwitch(title, chosen.get(name) === true, (isOn) => {
        chosen.set(name, isOn);
        all.input.checked = isEvery();
      });
      // Undefined is converted to null (Web IDL, nullable types).
      made.input.ariaDescription = shortDescription as string | null;
      return [name, made];
    }),
  );
  const all = toSwitch(say("toggleAll"), isEvery(), (isOn) => {
    for (const [name, { input }] of switches) {
      chosen.set(name, isOn);
      input.checked = isOn;
    }
  });
  return element(
    "ul",
    { class: "vendors", role: "list" },
    step.showToggleAllSwitch && asked[1] && element("li", {}, all.label),
    ...vendors.map((vendor) => toItem(vendor, switches.get(vendor.name)?.label, say)),
  );
}

function toItem(vendor: Vendor, label: Node | undefined, say: Say): Node {
  const { name, title = name, shortDescription, longDescription, policyUrl, image } = vendor;
  return element(
    "li",
    {},
    label ??
      element(
        "p",
        { class: "label" },
        element("span", {}, title),
        element("span", { class: "soft" }, say("alwaysOn")),
      ),
    shortDescription && element("p", { class: "soft" }, shortDescription),
    (longDescription || policyUrl) &&
      element(
        "details",
        { class: "soft" },
        element("summary", { "aria-label": `${say("details")}: ${title}` }, say("details")),
        toImage(image, "32"),
        longDescription && element("p", {}, longDescription),
        policyUrl && element("p", {}, toLink(policyUrl, say("policy"))),
      ),
  );
}

/** A switch with its label. */
export function toSwitch(
  text: string,
  isOn: boolean,
  onSet: (isOn: boolean) => void,
): { label: HTMLElement; input: HTMLInputElement } {
  const input = element("input", {
    type: "checkbox",
    role: "switch",
    onchange: () => onSet(input.checked),
  });
  input.checked = isOn;
  return { input, label: element("label", { class: "label" }, element("span", {}, text), input) };
}
