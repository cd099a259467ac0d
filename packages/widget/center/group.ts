import type { BannerOptions } from "../banner/banner.ts";
import { element, toImage } from "../banner/dom.ts";
import { toLink, toNodes } from "../banner/html.ts";
import type { Step, Vendor } from "../core/site.ts";
import type { Say } from "../core/words.ts";
import { toStorage } from "./storage.ts";
import { toSwitch } from "./switch.ts";

interface GroupOptions {
  /** The state of each vendor's switch. */
  chosen: Map<string, boolean>;
  isAsked: (vendor: string) => boolean;
  /** The answers that another consent tool had stored. */
  imported: BannerOptions["imported"];
  say: Say;
  /** Further choices of the layout `iab`. */
  main: Node | undefined;
  /** Whether it has a heading. */
  isTitled: boolean;
  /** Whether its vendors are shown without a click. */
  isOpen: boolean;
}

/** A category: its text, a switch for all of its vendors, and one for each that is asked. */
export function toGroup(step: Step, options: GroupOptions): HTMLElement {
  const { chosen, isAsked, imported, say, main, isTitled, isOpen } = options;
  const title = step.title || step.name;
  const vendors = (step.vendors ?? []).filter(({ name, required }) => required || isAsked(name));
  const asked = vendors.filter(({ required }) => !required);
  const isEvery = (): boolean => asked.every(({ name }) => chosen.get(name));
  const switches = new Map(
    asked.map(({ name, title: label = name, shortDescription }) => {
      const made = toSwitch(label, chosen.get(name) === true, (isOn) => {
        chosen.set(name, isOn);
        all.input.checked = isEvery();
      });
      // Undefined is converted to null (Web IDL, nullable types).
      made.input.ariaDescription = shortDescription as string | null;
      return [name, made];
    }),
  );
  const all = toSwitch(isTitled ? title : say("toggleAll"), isEvery(), (isOn) => {
    for (const [name, { input }] of switches) {
      chosen.set(name, isOn);
      input.checked = isOn;
    }
  });
  const hasAll = asked[1] && step.showToggleAllSwitch !== false;
  if (isTitled) all.input.ariaLabel = title;
  const list = element(
    "ul",
    { class: "vendors", role: "list" },
    ...vendors.map((vendor) =>
      toItem(vendor, {
        label: switches.get(vendor.name)?.label,
        isImported: Boolean(imported?.[vendor.name]),
        say,
      }),
    ),
  );
  return element(
    "div",
    { class: "group" },
    isTitled && element("div", { class: "label" }, element("h3", {}, title), hasAll && all.input),
    toNodes(step.message),
    main,
    !isTitled && hasAll && all.label,
    vendors[0] && (isOpen ? list : toDetails(`${say("services")} (${vendors.length})`, list)),
  );
}

function toDetails(text: string, list: Node): Node {
  return element("details", { class: "list" }, element("summary", {}, text), list);
}

interface ItemOptions {
  /** The label with its switch; undefined for a required vendor. */
  label: Node | undefined;
  isImported: boolean;
  say: Say;
}

function toItem(vendor: Vendor, { label, isImported, say }: ItemOptions): Node {
  const { name, title = name, shortDescription, longDescription, policyUrl, image } = vendor;
  const stored = toStorage(vendor, say);
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
    isImported && element("p", { class: "soft" }, say("imported")),
    shortDescription && element("p", { class: "soft" }, shortDescription),
    (longDescription || policyUrl || stored) &&
      element(
        "details",
        { class: "soft" },
        element("summary", { "aria-label": `${say("details")}: ${title}` }, say("details")),
        toImage(image, "32"),
        longDescription && element("p", {}, longDescription),
        policyUrl && element("p", {}, toLink(policyUrl, say("policy"))),
        stored,
      ),
  );
}
