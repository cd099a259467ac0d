import { GVL, type VendorList } from "@iabtechlabtcf/core";
import type { TcfContent, Texts, Vendor } from "./content.ts";

/** The part of IAB's vendor list that was published, as visitors are asked for it. */
export interface List extends Omit<TcfContent, "vendors" | "texts"> {
  /** Of IAB's texts; English where there is no translation. */
  language: string;
  texts: Required<Texts>;
  /** By id. */
  vendors: readonly Vendor[];
  /** What vendors ask a consent for, by id. */
  consents: ReadonlySet<number>;
  /** What vendors claim a legitimate interest in, by id. */
  interests: ReadonlySet<number>;
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
  };
}

/** The list as IAB's library wants it; nothing is asked of a network. */
export function toGvl({ vendors, texts, ...imprint }: List): GVL {
  const { language, vendorListVersion, tcfPolicyVersion, lastUpdated } = imprint;
  const named = Object.fromEntries(vendors.map((vendor) => [vendor.id, vendor]));
  return new GVL(
    {
      gvlSpecificationVersion: 3,
      vendorListVersion,
      tcfPolicyVersion,
      lastUpdated,
      ...texts,
      stacks: {},
      vendors: named,
    } as VendorList,
    { language },
  );
}

/**
 * What each vendor declares, as two characters a vendor in the order of their ids: enough to notice on a
 * later page that one asks for something else than it did.
 */
export function toDeclared({ vendors }: List): string {
  return vendors
    .map((vendor) => {
      const { purposes, legIntPurposes, flexiblePurposes, specialPurposes, specialFeatures } =
        vendor;
      const declared = [
        purposes,
        legIntPurposes,
        flexiblePurposes,
        specialPurposes,
        specialFeatures,
      ];
      return toDigest(JSON.stringify(declared));
    })
    .join("");
}

const DIGEST_BASE = 36;
const DIGEST_LENGTH = 2;

/** FNV-1a, folded. */
function toDigest(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  const folded = (hash >>> 0) % DIGEST_BASE ** DIGEST_LENGTH;
  return folded.toString(DIGEST_BASE).padStart(DIGEST_LENGTH, "0");
}
