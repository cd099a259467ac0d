import { isVendor, vendorIdOf } from "./vendors.ts";
import {
  type Brand,
  type Processing,
  type Step,
  type StoredDocument,
  isDocumentOf,
  layoutsOf,
} from "./configuration.ts";
import { TEXT_CONTRAST_MIN, toContrast } from "./sites/contrast.ts";
import { toGroupKey } from "./sites/groups.ts";

/** An error of a field, at its JSON pointer (RFC 6901). */
interface FieldFault {
  path: string;
  message: string;
}

/** Limited, since each vendor is a state of every visitor who answers. */
const VENDORS_MAX = 1_000;

/** Checks rules that a schema cannot express (wire section 2); returns every error of the body. */
export function findRuleFaults(document: Pick<StoredDocument, "resource" | "body">): FieldFault[] {
  if (isDocumentOf(document, "cookies")) return findCookieFaults(document.body.steps ?? []);
  if (isDocumentOf(document, "processings")) return findProcessingFaults(document.body);
  if (isDocumentOf(document, "projects")) return findGroupFaults(document.body.groups ?? []);
  if (isDocumentOf(document, "organizations")) return findBrandFaults(document.body.brand);
  return [];
}

function findBrandFaults(brand: Brand = {}): FieldFault[] {
  if (brand.color === undefined || toContrast(brand.color, "#ffffff") >= TEXT_CONTRAST_MIN)
    return [];
  const message = `needs a contrast of at least ${TEXT_CONTRAST_MIN} with white: choose a darker color`;
  return [{ path: "/brand/color", message }];
}

function findGroupFaults(groups: readonly string[]): FieldFault[] {
  const keys = groups.map(toGroupKey);
  return groups.flatMap((name, at) => {
    const path = `/groups/${at}`;
    if (name.trim() !== name) return [{ path, message: "must not begin or end with white space" }];
    if (keys.indexOf(toGroupKey(name)) < at)
      return [{ path, message: `must be unique, whatever its case: ${name}` }];
    return [];
  });
}

function findCookieFaults(steps: Step[]): FieldFault[] {
  const count = steps.reduce((sum, step) => sum + (step.vendors?.length ?? 0), 0);
  if (count > VENDORS_MAX)
    return [
      {
        path: "/steps",
        message: `may have at most ${VENDORS_MAX} vendors in total, but has ${count}`,
      },
    ];
  const names = new Set<string>();
  const vendors = new Set<string>();
  return steps.flatMap((step, index) => {
    const at = `/steps/${index}`;
    const faults: FieldFault[] = [];
    if (names.has(step.name))
      faults.push({
        path: `${at}/name`,
        message: `must be unique: another step is named ${step.name}`,
      });
    names.add(step.name);
    if (!isOf(layoutsOf.vendors, step) && step.vendors?.length)
      faults.push({
        path: `${at}/vendors`,
        message: `cannot be used with the layout ${step.layout}`,
      });
    if (!isOf(layoutsOf.timeout, step) && step.timeout !== undefined)
      faults.push({
        path: `${at}/timeout`,
        message: `is only for the layouts ${layoutsOf.timeout.join(" and ")}`,
      });
    for (const [n, vendor] of (step.vendors ?? []).entries()) {
      const path = isVendor(vendor) ? `${at}/vendors/${n}/name` : `${at}/vendors/${n}`;
      const key = isVendor(vendor) ? vendor.name : vendorIdOf(vendor);
      if (key === undefined) {
        faults.push({ path: `${at}/vendors/${n}/name`, message: "is required" });
        continue;
      }
      if (vendors.has(key))
        faults.push({ path, message: `must be unique in the configuration: ${key}` });
      vendors.add(key);
    }
    return faults;
  });
}

function isOf(layouts: readonly string[], { layout }: Step): boolean {
  return layouts.includes(layout);
}

function findProcessingFaults(body: Processing): FieldFault[] {
  if (body.automatedDecisions !== true) return [];
  return (["automatedDecisionsContact", "automatedDecisionsDetails"] as const)
    .filter((field) => !body[field])
    .map((field) => ({
      path: `/${field}`,
      message: "is required when automatedDecisions is true",
    }));
}
