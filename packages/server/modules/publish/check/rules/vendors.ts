import { isUnknownVendor } from "../../content/vendors.ts";
import { type Rule, listVendors } from "./finding.ts";

/** Ids of another product's catalogue, or of a vendor that was deleted (wire section 9). */
const unknownVendor: Rule = {
  id: "unknown-vendor",
  severity: "error",
  source: "the vendors of the project",
  find: (content) =>
    listVendors(content)
      .filter(({ vendor }) => isUnknownVendor(vendor))
      .map(({ vendor, path }) => ({
        path,
        message: `The vendor ${vendor.name} does not exist here.`,
        about: [vendor.name],
        fix: "Replace it by a vendor with a name and a title, or remove it from the step.",
      })),
};

export const vendorRules: readonly Rule[] = [unknownVendor];
