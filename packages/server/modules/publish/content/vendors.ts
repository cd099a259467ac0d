import { type StoredDocument, type Vendor, isDocumentOf } from "@avow/contract/configuration";
import type { JsonObject } from "@avow/contract/json";
import { titleOf } from "@avow/contract/labels";
import { vendorIdOf } from "@avow/contract/vendors";
import type { DocumentRow } from "../../vault/documents/access.ts";
import { toPublic } from "./content.ts";

/** A vendor that stands for an unknown id in previews and checks; it is never published. */
type UnknownVendor = Vendor & { _unknown: string };

/** The ids of the vendors that cookie configurations enter by their ids alone (wire section 2, Vendor). */
export function vendorIdsOf(configurations: readonly StoredDocument[]): string[] {
  const ids = configurations
    .flatMap((document) => (isDocumentOf(document, "cookies") ? (document.body.steps ?? []) : []))
    .flatMap((step) => step.vendors ?? [])
    .flatMap((entry) => vendorIdOf(entry) ?? []);
  return [...new Set(ids)];
}

/** Replaces vendor ids in configurations by the fields of the vault vendors; an unknown one by a vendor without texts. */
export function resolveVendors<D extends StoredDocument>(
  configurations: readonly D[],
  vendors: readonly DocumentRow[],
): D[] {
  const byId = new Map<string, object>(
    vendors.map((row) => [row.id, { ...toPublic(row.body), _id: row.id }]),
  );
  return configurations.map((document) => {
    if (!isDocumentOf(document, "cookies") || !document.body.steps) return document;
    const steps = document.body.steps.map((step) => {
      if (!step.vendors) return step;
      const resolved = step.vendors.map((entry) => {
        const id = vendorIdOf(entry);
        return id === undefined ? entry : (byId.get(id) ?? toUnknown(id));
      });
      return { ...step, vendors: resolved };
    });
    return { ...document, body: { ...document.body, steps } };
  });
}

function toUnknown(id: string): UnknownVendor {
  const name = id.replace(/[^A-Za-z0-9_.-]/g, "-").replace(/^[^A-Za-z0-9]/, "x");
  return { name, title: id, _unknown: id };
}

/** The unknown id that a vendor of a content stands for. */
export function unknownIdOf(vendor: Vendor & { _unknown?: unknown }): string | undefined {
  return typeof vendor._unknown === "string" ? vendor._unknown : undefined;
}

/** A configuration's title and id, for messages. */
export function toLabel(body: JsonObject, identifier: string): string {
  const title = titleOf(body);
  return title === undefined ? identifier : `"${title.slice(0, 100)}" (${identifier})`;
}
