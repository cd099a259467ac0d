import { isAsked } from "@avow/contract/answers";
import { consentToolNames } from "@avow/contract/consent-tools";
import { vendorsOf } from "@avow/contract/published";
import type { Fault, Rule } from "./finding.ts";

/** Findings of one configuration: a mapping has up to 250,000 names. */
const FINDINGS_MAX = 50;

const importedVendor: Rule = {
  id: "imported-vendor",
  severity: "warning",
  source: "the project's own import of answers",
  find: ({ cookies }) =>
    cookies.flatMap((configuration, at) => {
      const vendors = vendorsOf(configuration);
      const faults: Fault[] = [];
      for (const [n, { from, categories }] of (configuration.imports ?? []).entries())
        for (const [category, names] of Object.entries(categories)) {
          const unknown = names.filter((name) => !isAsked(vendors.get(name) ?? { required: true }));
          for (const name of unknown.slice(0, FINDINGS_MAX - faults.length))
            faults.push({
              path: `/cookies/${at}/imports/${n}/categories/${toSegment(category)}/${names.indexOf(name)}`,
              message: `Answers to ${consentToolNames[from]} are for the vendor “${name}”, which this configuration does not ask for.`,
              about: [consentToolNames[from], name],
              fix: "Correct the vendor's name, or remove it from the import.",
            });
        }
      return faults;
    }),
};

/** Escapes a member's name in a JSON pointer (RFC 6901). */
function toSegment(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

export const importRules: readonly Rule[] = [importedVendor];
