import type { TCModel } from "@iabtechlabtcf/core";
import type { StoredTcString } from "../tcf/held.ts";

type Values = Record<string, number | string | undefined>;

/** The Vendor, Purpose and similar fields are texts of a digit for each id, from 1 on. */
interface IdSet {
  readonly maxId: number;
  has(id: number): boolean;
}

/** The ids of TCF's purposes and special features. */
const PURPOSES = 11;
const SPECIAL_FEATURES = 2;

/** The keys of TCF; those of a missing TC string are removed. `gdprApplies` undefined: unknown. */
export function toTcfKeys(
  held: StoredTcString | undefined,
  { gdprApplies }: { gdprApplies: boolean | undefined },
): Values {
  const applies = {
    IABTCF_gdprApplies: gdprApplies === undefined ? undefined : Number(gdprApplies),
  };
  if (!held) return { ...applies, ...removed };
  const { model } = held;
  return {
    ...applies,
    // Restrictions of an earlier list must not stay.
    ...removed,
    IABTCF_CmpSdkID: Number(model.cmpId),
    IABTCF_CmpSdkVersion: Number(model.cmpVersion),
    IABTCF_PolicyVersion: Number(model.policyVersion),
    IABTCF_PublisherCC: model.publisherCountryCode,
    IABTCF_PurposeOneTreatment: Number(model.purposeOneTreatment),
    IABTCF_UseNonStandardTexts: Number(model.useNonStandardTexts),
    IABTCF_TCString: held.tcString,
    IABTCF_VendorConsents: toDigits(model.vendorConsents),
    IABTCF_VendorLegitimateInterests: toDigits(model.vendorLegitimateInterests),
    IABTCF_PurposeConsents: toDigits(model.purposeConsents, PURPOSES),
    IABTCF_PurposeLegitimateInterests: toDigits(model.purposeLegitimateInterests, PURPOSES),
    IABTCF_SpecialFeaturesOptIns: toDigits(model.specialFeatureOptins, SPECIAL_FEATURES),
    IABTCF_AddtlConsent: held.additional,
    ...toRestrictions(model),
  };
}

/** The keys of GPP; those of a missing string are removed. */
export function toGppKeys(gpp: { gppString: string; sectionId: number } | undefined): Values {
  return { IABGPP_HDR_GppString: gpp?.gppString, IABGPP_GppSID: gpp && String(gpp.sectionId) };
}

const removed: Values = Object.fromEntries(
  [
    "CmpSdkID",
    "CmpSdkVersion",
    "PolicyVersion",
    "PublisherCC",
    "PurposeOneTreatment",
    "UseNonStandardTexts",
    "TCString",
    "VendorConsents",
    "VendorLegitimateInterests",
    "PurposeConsents",
    "PurposeLegitimateInterests",
    "SpecialFeaturesOptIns",
    "AddtlConsent",
    ...Array.from({ length: PURPOSES }, (_, at) => `PublisherRestrictions${at + 1}`),
  ].map((name) => [`IABTCF_${name}`, undefined]),
);

function toDigits(ids: IdSet, count = ids.maxId): string {
  return Array.from({ length: count }, (_, at) => (ids.has(at + 1) ? "1" : "0")).join("");
}

/** A digit for each vendor: 0 not allowed, 1 requires consent, 2 requires legitimate interest, _ without a restriction. */
function toRestrictions({ publisherRestrictions }: TCModel): Values {
  const values: Values = {};
  for (let purpose = 1; purpose <= PURPOSES; purpose += 1) {
    const types = publisherRestrictions
      .getRestrictions()
      .filter(({ purposeId }) => purposeId === purpose);
    if (types.length === 0) continue;
    const digits: string[] = [];
    for (const restriction of types)
      for (const id of publisherRestrictions.getVendors(restriction))
        digits[id - 1] = String(restriction.restrictionType);
    values[`IABTCF_PublisherRestrictions${purpose}`] = Array.from(
      digits,
      (digit) => digit ?? "_",
    ).join("");
  }
  return values;
}
