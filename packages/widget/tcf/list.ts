import { GVL, type VendorList } from "@iabtechlabtcf/core";
import { toRestrictedVendors } from "@avow/contract/tcf-restrictions";
import type {
  GoogleProvider,
  TcfContent,
  TcfStack,
  TcfTerm,
  TcfTerms,
  TcfTexts,
  TcfVendor,
} from "@avow/contract/tcf";

/** The published part of IAB's vendor list, in one language. */
export interface List extends Omit<TcfContent, "vendors" | "texts"> {
  /** The language of IAB's texts; English without a translation. */
  language: string;
  texts: Required<TcfTexts>;
  /** As the publisher's restrictions leave them, sorted by id. */
  vendors: readonly TcfVendor[];
  /** As declared, for the TC string. */
  declared: readonly TcfVendor[];
  /** Google's providers, sorted by id. */
  providers: readonly GoogleProvider[];
  /** The number of vendors and of Google's providers. */
  partners: number;
  /** Ids of the purposes that any vendor asks consent for. */
  consents: ReadonlySet<number>;
  /** Ids of the purposes that any vendor claims a legitimate interest in. */
  interests: ReadonlySet<number>;
  /** The number of vendors of each purpose, on any legal basis. */
  counts: ReadonlyMap<number, number>;
}

/** The list for a configuration's language. */
export function toList(content: TcfContent, language: string): List {
  const tag = language.toLowerCase();
  const found = content.texts[tag] ? tag : "en";
  const texts = content.texts[found] ?? Object.values(content.texts)[0];
  if (!texts) throw new Error("The vendor list has no texts.");
  const { googleProviders: providers = [] } = content;
  const vendors = Object.values(toRestrictedVendors(content)).toSorted((a, b) => a.id - b.id);
  return {
    ...content,
    declared: Object.values(content.vendors),
    language: found,
    texts: { ...texts, dataCategories: texts.dataCategories ?? {}, stacks: texts.stacks ?? {} },
    vendors,
    providers,
    partners: vendors.length + providers.length,
    consents: new Set(vendors.flatMap(({ purposes }) => purposes)),
    interests: new Set(vendors.flatMap(({ legIntPurposes }) => legIntPurposes)),
    counts: toCounts(vendors),
  };
}

/** The purposes that any vendor has, on any legal basis. */
export function listPurposes({ texts, consents, interests }: List): TcfTerm[] {
  return Object.values(texts.purposes).filter(({ id }) => consents.has(id) || interests.has(id));
}

/** The purposes without a stack, then the stacks with their purposes. */
export function groupPurposes(list: List): { stack?: TcfStack; purposes: TcfTerm[] }[] {
  const all = listPurposes(list);
  const stacks = Object.values(list.texts.stacks);
  return [
    { purposes: all.filter((term) => !stacks.some((stack) => isIn(stack, term))) },
    ...stacks.map((stack) => ({ stack, purposes: all.filter((term) => isIn(stack, term)) })),
  ];
}

function isIn({ purposes }: TcfStack, { id }: TcfTerm): boolean {
  return purposes.includes(id);
}

function toCounts(vendors: readonly TcfVendor[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { purposes, legIntPurposes } of vendors)
    for (const id of new Set([...purposes, ...legIntPurposes]))
      counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/**
 * The list in the form that IAB's library needs to encode a TC string. The library copies its input several times, so
 * texts are omitted, and `clone` returns the same object. There is no network request.
 */
export function toGvl({ declared, texts, ...imprint }: List): GVL {
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
    vendors: Object.fromEntries(declared.map((vendor) => [vendor.id, toDeclarations(vendor)])),
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

/** Characters of a vendor's digest. */
export const DIGEST_LENGTH = 2;
const DIGEST_BASE = 36;
/** Separates two lists of ids; it is no valid id. */
const NEXT = 0;

/**
 * Digests of all vendors' declarations, two characters each, in the order of ids. A later page uses them to detect changed
 * declarations.
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
