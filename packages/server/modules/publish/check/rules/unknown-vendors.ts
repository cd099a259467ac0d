import { unknownIdOf } from "../../content/vendors.ts";
import { type Fault, type Rule, listVendors } from "./finding.ts";

const unknownVendor: Rule = {
  id: "unknown-vendor",
  severity: "error",
  source: "GDPR article 13(1)(e): the recipients of the data",
  find: (content) =>
    listVendors(content).flatMap(({ vendor, path }): Fault[] => {
      const id = unknownIdOf(vendor);
      if (id === undefined) return [];
      return [
        {
          path,
          message: `The vendor ${id} is unknown here, so that visitors cannot be informed about it.`,
          about: [id],
          fix: "Replace it, or give it a name and a title.",
        },
      ];
    }),
};

export const unknownVendorRules: readonly Rule[] = [unknownVendor];
