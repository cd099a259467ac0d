import { type StoredDocument, isDocumentOf } from "@avow/contract/configuration";
import type { JsonObject } from "@avow/contract/json";
import { titleOf } from "@avow/contract/titles";
import { Fault } from "../../../platform/errors.ts";
import type { DocumentRow } from "../../vault/documents/access.ts";
import { toPublic } from "./content.ts";

/** The ids of the vault vendors that cookie configurations reference (wire section 2, Vendor). */
export function vendorIdsOf(configurations: readonly StoredDocument[]): string[] {
  const ids = configurations
    .flatMap((document) => (isDocumentOf(document, "cookies") ? (document.body.steps ?? []) : []))
    .flatMap((step) => step.vendors ?? [])
    .filter((vendor) => typeof vendor === "string");
  return [...new Set(ids)];
}

/**
 * Replaces vendor ids in configurations by the fields of the vault vendors.
 * @throws Fault impossible, with the configuration, the step and the id, for a vendor that does not exist
 */
export function resolveVendors<D extends StoredDocument>(
  configurations: readonly D[],
  vendors: readonly DocumentRow[],
): D[] {
  const byId = new Map(vendors.map((row) => [row.id, { ...toPublic(row.body), _id: row.id }]));
  return configurations.map((document) => {
    if (!isDocumentOf(document, "cookies") || !document.body.steps) return document;
    const steps = document.body.steps.map((step) => {
      if (!step.vendors) return step;
      const resolved = step.vendors.map((vendor) => {
        if (typeof vendor !== "string") return vendor;
        const found = byId.get(vendor);
        if (!found) throw new Fault("impossible", toMissing(document, step.name, vendor));
        return found;
      });
      return { ...step, vendors: resolved };
    });
    return { ...document, body: { ...document.body, steps } };
  });
}

function toMissing({ body, id }: StoredDocument, step: string, vendor: string): string {
  return `The step ${step} of ${toLabel(body, id)} uses the vendor ${vendor}, which no longer exists. Remove it from the step, or enter the vendor there.`;
}

/** A configuration's title and id, for messages. */
export function toLabel(body: JsonObject, identifier: string): string {
  const title = titleOf(body);
  return title === undefined ? identifier : `"${title.slice(0, 100)}" (${identifier})`;
}
