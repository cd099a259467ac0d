import { Fault } from "../../../platform/errors.ts";
import type { DocumentRow } from "../../vault/access.ts";
import { toPublic } from "./content.ts";
import { type Fields, fieldsOf } from "./fields.ts";

type Source = Pick<DocumentRow, "id" | "resource" | "body">;

/** The ids of the vault vendors that cookie configurations name (wire section 2, Vendor). */
export function vendorIdsOf(configurations: readonly Source[]): string[] {
  const ids = configurations
    .filter((source) => source.resource === "cookies")
    .flatMap((source) => listOf(source.body["steps"]))
    .flatMap((step) => listOf(fieldsOf(step)["vendors"]))
    .filter((vendor) => typeof vendor === "string");
  return [...new Set(ids)];
}

/**
 * The same configurations with each vendor that is an id replaced by that vault vendor's fields.
 * @throws Fault impossible, naming the configuration, the step and the id, for a vendor that is gone
 */
export function writeOutVendors<S extends Source>(
  configurations: readonly S[],
  vendors: readonly DocumentRow[],
): S[] {
  const byId = new Map(vendors.map((row) => [row.id, { ...toPublic(row.body), _id: row.id }]));
  return configurations.map((source) => {
    const steps = source.body["steps"];
    if (source.resource !== "cookies" || !Array.isArray(steps)) return source;
    const written = steps.map((step: unknown) => {
      const fields = fieldsOf(step);
      if (!Array.isArray(fields["vendors"])) return step;
      const toVendor = (vendor: unknown): unknown => {
        if (typeof vendor !== "string") return vendor;
        const found = byId.get(vendor);
        if (!found) throw new Fault("impossible", toMissing(source, fields, vendor));
        return found;
      };
      return { ...fields, vendors: fields["vendors"].map(toVendor) };
    });
    return { ...source, body: { ...source.body, steps: written } };
  });
}

function toMissing(source: Source, step: Fields, id: string): string {
  return `The step ${String(step["name"])} of ${labelOf(source.body, source.id)} names the vendor ${id}, which is no longer there. Take it out of the step, or write the vendor into it.`;
}

/** What people call a configuration. */
export function labelOf(body: Fields, identifier: string): string {
  const label = [body["name"], body["title"]].find((text) => typeof text === "string" && text);
  return typeof label === "string" ? `"${label.slice(0, 100)}" (${identifier})` : identifier;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
