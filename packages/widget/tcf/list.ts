import { GVL, type VendorList } from "@iabtechlabtcf/core";
import type { TcfContent, TcfTerms, TcfTexts, TcfVendor } from "@avow/contract/tcf";

/** The part of IAB's vendor list that was published, as visitors are asked for it. */
export interface List extends Omit<TcfContent, "vendors" | "texts"> {
  /** Of IAB's texts; English where there is no translation. */
  language: string;
  texts: Required<TcfTexts>;
  /** By id. */
  vendors: readonly TcfVendor[];
  /** What vendors ask a consent for, by id. */
  consents: ReadonlySet<number>;
  /** What vendors claim a legitimate interest in, by id. */
  interests: ReadonlySet<number>;
  /** By how many vendors each purpose is declared, on whichever basis. */
  counts: ReadonlyMap<number, number>;
}

/** The list for a configuration's language. */
export function toList(content: TcfContent, language = "en"): List {
  const tag = language.toLowerCase();
  const found = content.texts[tag] ? tag : "en";
  const texts = content.texts[found] ?? Object.values(content.texts)[0];
  if (!texts) throw new Error("The vendor list has no texts.");
  const vendors = Object.values(content.vendors).toSorted((a, b) => a.id - b.id);
  return {
    ...content,
    language: found,
    texts: { ...texts, dataCategories: texts.dataCategories ?? {} },
    vendors,
    consents: new Set(vendors.flatMap(({ purposes }) => purposes)),
    interests: new Set(vendors.flatMap(({ legIntPurposes }) => legIntPurposes)),
    counts: toCounts(vendors),
  };
}

function toCounts(vendors: readonly TcfVendor[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { purposes, legIntPurposes } of vendors)
    for (const id of new Set([...purposes, ...legIntPurposes]))
      counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/**
 * The list as IAB's library wants it to make a TC string. It copies all that it is given, several times: so it
 * is given ids, not texts, and what it makes of them is not copied again. Nothing is asked of a network.
 */
export function toGvl({ vendors, texts, ...imprint }: List): GVL {
  const { language, vendorListVersion, tcfPolicyVersion, lastUpdated } = imprint;
  const given = {
    gvlSpecificationVersion: 3,
    vendorListVersion,
    tcfPolicyVersion,
    lastUpdated,
    purposes: toIds(texts.purposes),
    specialPurposes: toIds(texts.specialPurposes),
    features: toIds(texts.features),
    specialFeatures: toIds(texts.specialFeatures),
    stacks: {},
    vendors: Object.fromEntries(vendors.map((vendor) => [vendor.id, toDeclarations(vendor)])),
  };
  const gvl = new GVL(given as VendorList, { language });
  return Object.assign(gvl, { clone: () => gvl });
}

function toIds(terms: TcfTerms) {
  return Object.fromEntries(
    Object.values(terms).map(({ id }) => [id, { id, name: "", description: "" }]),
  );
}

function toDeclarations(vendor: TcfVendor) {
  const { id, purposes, legIntPurposes, flexiblePurposes, specialPurposes } = vendor;
  const { features, specialFeatures } = vendor;
  const basis = { purposes, legIntPurposes, flexiblePurposes, specialPurposes };
  return { id, name: "", ...basis, features, specialFeatures };
}

/** Characters for each vendor. */
export const DIGEST_LENGTH = 2;
const DIGEST_BASE = 36;
/** Between one list of ids and the next: no id. */
const NEXT = 0;

/**
 * What each vendor declares, as two characters a vendor in the order of their ids: enough to notice on a
 * later page that one asks for something else than it did.
 */
export function toDeclared({ vendors }: List): string {
  return vendors.map(toDigest).join("");
}

/** FNV-1a, folded. */
function toDigest(vendor: TcfVendor): string {
  const { purposes, legIntPurposes, flexiblePurposes, specialPurposes, specialFeatures } = vendor;
  let hash = 0x811c9dc5;
  const add = (id: number): void => void (hash = Math.imul(hash ^ id, 0x01000193));
  for (const ids of [
    purposes,
    legIntPurposes,
    flexiblePurposes,
    specialPurposes,
    specialFeatures,
  ]) {
    for (const id of ids) add(id);
    add(NEXT);
  }
  const folded = (hash >>> 0) % DIGEST_BASE ** DIGEST_LENGTH;
  return folded.toString(DIGEST_BASE).padStart(DIGEST_LENGTH, "0");
}
