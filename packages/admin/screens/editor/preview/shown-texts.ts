import type { Step, Vendor } from "@avow/client/operations";
import type { ConfigurationKind, Doc } from "../../../data/documents/documents.ts";

/** The texts that a banner shows only in some cases. Texts that are not listed are always shown. */
const ofBanner: Readonly<Record<string, (steps: readonly Step[]) => boolean>> = {
  choose: (steps) => steps.length > 1,
  // Several categories are labelled by their titles.
  toggleAll: ([step, ...more]) =>
    more.length === 0 && step?.showToggleAllSwitch !== false && (step?.vendors?.length ?? 0) > 1,
  alwaysOn: (steps) => listVendors(steps).some(({ required }) => required === true),
  details: (steps) =>
    hasIab(steps) || listVendors(steps).some((one) => one.longDescription || one.policyUrl),
  policy: (steps) => hasIab(steps) || listVendors(steps).some(({ policyUrl }) => policyUrl),
};

/** Texts that are published only if a configuration of the project needs them. */
const publishedIfNeeded = [
  "search",
  "noMatch",
  "services",
  "storage",
  "duration",
  "provider",
  "ok",
  "doNotSell",
  "limitSensitive",
  "optOutDone",
  "imported",
  "embedTitle",
  "embedText",
  "embedOnce",
  "embedAlways",
];

const banner = new Set(
  Object.keys(ofBanner).concat(
    "acceptAll",
    "refuseAll",
    "save",
    "close",
    "settings",
    "receipts",
    "optedOut",
    "unavailable",
    "askSite",
    ...publishedIfNeeded,
  ),
);
const bothBoxes = ["accept", "withdraw", "accepted", "withdrawn", "receipts", "unsaved"];
const boxes = {
  processings: new Set(
    bothBoxes.concat(
      "refuse",
      "refused",
      "change",
      "details",
      "purpose",
      "processors",
      "personalDataTypes",
      "storageDuration",
      "automatedDecisions",
      "automatedDecisionsContact",
      "consentWithdraw",
    ),
  ),
  contracts: new Set(bothBoxes.concat("openFile", "required")),
};

/** Whether the widget shows a text of `strings` for this configuration. */
export function isShown(name: string, kind: ConfigurationKind, doc: Doc): boolean {
  if (kind !== "cookies") return boxes[kind].has(name);
  const steps = (doc["steps"] ?? []) as readonly Step[];
  if (name.startsWith("tcf")) return hasIab(steps);
  return banner.has(name) && ofBanner[name]?.(steps) !== false;
}

function hasIab(steps: readonly Step[]): boolean {
  return steps.some(({ layout }) => layout === "iab");
}

/** Saved vendors are referenced by id, so that they may have any field. */
function listVendors(steps: readonly Step[]): readonly Partial<Vendor>[] {
  const all = steps.flatMap(({ vendors = [] }) => vendors);
  return all.map((one) =>
    typeof one === "string" ? { required: true, longDescription: one, policyUrl: one } : one,
  );
}
