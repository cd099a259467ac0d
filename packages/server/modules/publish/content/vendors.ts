import { type StoredDocument, isDocumentOf } from "@avow/contract/configuration";
import type { JsonObject } from "@avow/contract/json";
import { titleOf } from "@avow/contract/titles";
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
 * Replaces vendor ids in configurations by the fields of the vault vendors. A vendor that does not exist is marked,
 * and the publish check holds its configuration back.
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
      const resolved = step.vendors.map((vendor) =>
        typeof vendor === "string" ? (byId.get(vendor) ?? toUnknown(vendor)) : vendor,
      );
      return { ...step, vendors: resolved };
    });
    return { ...document, body: { ...document.body, steps } };
  });
}

/** Only in contents that are checked or previewed. */
const UNKNOWN = "isUnknown";

function toUnknown(id: string): JsonObject {
  return { name: id, [UNKNOWN]: true };
}

export function isUnknownVendor(vendor: JsonObject): boolean {
  return vendor[UNKNOWN] === true;
}

/** A configuration's title and id, for messages. */
export function toLabel(body: JsonObject, identifier: string): string {
  const title = titleOf(body);
  return title === undefined ? identifier : `"${title.slice(0, 100)}" (${identifier})`;
}
