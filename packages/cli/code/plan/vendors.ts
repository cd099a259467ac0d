import type { JsonObject } from "@avow/contract/json";
import type { FileDocument } from "../files/load.ts";
import { type FileFault, FilesError } from "../files/faults.ts";
import type { Pair } from "./matching.ts";
import { listVendorTexts, mapVendorTexts } from "./references.ts";
import type { StoredDocument } from "./stored.ts";

/** A vendor that banners may name. */
export interface KnownVendor {
  /** Undefined before it is created. */
  id: string | undefined;
  /** The fields of its file, if the plan creates or changes it. */
  next: JsonObject | undefined;
}
export type KnownVendors = ReadonlyMap<string, KnownVendor>;

/** Vendors by name: those of the project's files first, then its stored ones, then those of the organization. */
export function toKnownVendors(
  pairs: readonly Pair[],
  stored: readonly StoredDocument[],
  shared: KnownVendors,
  isChanged: (pair: Pair) => boolean,
): KnownVendors {
  const known = new Map(shared);
  for (const { kind, name, id } of stored.toReversed())
    if (kind.kind === "vendor") known.set(name, { id, next: undefined });
  for (const pair of pairs)
    if (pair.file.kind.kind === "vendor")
      known.set(pair.file.name, {
        id: pair.stored?.id,
        next: isChanged(pair) ? pair.file.body : undefined,
      });
  return known;
}

/** Whether a banner names a vendor that the plan creates or changes. */
export function namesChangedVendor({ kind, body }: FileDocument, vendors: KnownVendors): boolean {
  return listVendorTexts(kind, body).some((text) => vendors.get(text)?.next !== undefined);
}

/** @throws FilesError when banners name unknown vendors. A text that is stored already is kept. */
export function assertVendorsKnown(pairs: readonly Pair[], vendors: KnownVendors): void {
  const faults: FileFault[] = [];
  for (const { file, stored } of pairs) {
    const present = new Set(stored ? listVendorTexts(stored.kind, stored.value) : []);
    mapVendorTexts(file.kind, file.body, (text, pointer) => {
      if (!vendors.has(text) && !present.has(text))
        faults.push(
          file.toFault(
            pointer,
            `There is no vendor \`${text}\`. Add vendors/${text}.yaml, or write its fields here.`,
          ),
        );
      return text;
    });
  }
  if (faults.length > 0) throw new FilesError(faults);
}

/** A document as it is sent, with vendors by their ids. @throws Error for a vendor that is not created yet */
export function withVendorIds({ kind, body }: FileDocument, vendors: KnownVendors): JsonObject {
  return mapVendorTexts(kind, body, (text) => {
    const known = vendors.get(text);
    if (!known) return text;
    if (known.id === undefined) throw new Error(`the vendor ${text} has not been created`);
    return known.id;
  });
}

/** A document for a preview, with new and changed vendors written out. */
export function withVendorsInline({ kind, body }: FileDocument, vendors: KnownVendors): JsonObject {
  return mapVendorTexts(kind, body, (text) => {
    const known = vendors.get(text);
    return known ? (known.next ?? known.id ?? text) : text;
  });
}
