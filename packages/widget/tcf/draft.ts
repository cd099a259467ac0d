import { PurposeRestriction, RestrictionType, TCModel, TCString } from "@iabtechlabtcf/core";
import type { RestrictionType as RestrictionName } from "@avow/contract/tcf-restrictions";
import type { TcfVendor } from "@avow/contract/tcf";
import { readAdditional } from "./additional.ts";
import type { StoredTcString } from "./held.ts";
import { type List, toGvl } from "./list.ts";

/** A visitor's unsaved choices, by ids. No consent or objection is preselected. */
export interface Draft {
  purposes: Set<number>;
  specialFeatures: Set<number>;
  vendors: Set<number>;
  /** Google's providers. */
  providers: Set<number>;
  /** Legitimate interests that the visitor objects to. */
  objectedPurposes: Set<number>;
  objectedVendors: Set<number>;
}

/** The choices of a TC string; empty without one. */
export function toDraft(
  { texts, vendors, consents, interests, providers }: List,
  held?: Pick<StoredTcString, "model" | "additional">,
): Draft {
  const { consented } = readAdditional(held?.additional);
  const ids = vendors.map(({ id }) => id);
  const features = Object.values(texts.specialFeatures).map(({ id }) => id);
  if (!held)
    return {
      purposes: new Set(),
      specialFeatures: new Set(),
      vendors: new Set(),
      providers: new Set(),
      objectedPurposes: new Set(),
      objectedVendors: new Set(),
    };
  const { model } = held;
  const disclosed = vendors.filter(
    (vendor) => hasInterest(vendor) && model.vendorsDisclosed.has(vendor.id),
  );
  return {
    purposes: new Set([...consents].filter((id) => model.purposeConsents.has(id))),
    specialFeatures: new Set(features.filter((id) => model.specialFeatureOptins.has(id))),
    vendors: new Set(ids.filter((id) => model.vendorConsents.has(id))),
    providers: new Set(providers.map(({ id }) => id).filter((id) => consented.has(id))),
    objectedPurposes: new Set(
      [...interests].filter((id) => !model.purposeLegitimateInterests.has(id)),
    ),
    objectedVendors: new Set(
      disclosed.map(({ id }) => id).filter((id) => !model.vendorLegitimateInterests.has(id)),
    ),
  };
}

/** Everything accepted and nothing objected to, or the opposite of both. */
export function acceptOrRefuseAll(
  { texts, vendors, consents, interests, providers }: List,
  accept: boolean,
): Draft {
  const features = Object.values(texts.specialFeatures).map(({ id }) => id);
  const asking = vendors.filter(asksConsent).map(({ id }) => id);
  const claiming = vendors.filter(hasInterest).map(({ id }) => id);
  return {
    purposes: new Set(accept ? consents : []),
    specialFeatures: new Set(accept ? features : []),
    vendors: new Set(accept ? asking : []),
    providers: new Set(accept ? providers.map(({ id }) => id) : []),
    objectedPurposes: new Set(accept ? [] : interests),
    objectedVendors: new Set(accept ? [] : claiming),
  };
}

/** Whether any consent was given; a missing objection is no consent. */
export function isAccepting({ purposes, specialFeatures, vendors, providers }: Draft): boolean {
  return (purposes.size > 0 && vendors.size + providers.size > 0) || specialFeatures.size > 0;
}

const restrictionTypes: Record<RestrictionName, RestrictionType> = {
  "not-allowed": RestrictionType.NOT_ALLOWED,
  "require-consent": RestrictionType.REQUIRE_CONSENT,
  "require-legitimate-interest": RestrictionType.REQUIRE_LI,
};

/**
 * Encodes the choices as a service-specific TC string of TCF 2.3, dated today, with every displayed vendor in the segment
 * of disclosed vendors.
 */
export function toTcString(list: List, draft: Draft): string {
  const { cmpId, cmpVersion, publisherCC, vendors, interests, restrictions = [] } = list;
  const model = new TCModel(toGvl(list));
  model.cmpId = cmpId;
  model.cmpVersion = cmpVersion;
  model.consentScreen = 1;
  model.publisherCountryCode = publisherCC;
  model.isServiceSpecific = true;
  model.purposeConsents.set([...draft.purposes]);
  model.specialFeatureOptins.set([...draft.specialFeatures]);
  model.vendorConsents.set([...draft.vendors]);
  model.purposeLegitimateInterests.set(
    [...interests].filter((id) => !draft.objectedPurposes.has(id)),
  );
  model.vendorLegitimateInterests.set(
    vendors
      .filter(
        (vendor) =>
          isSpecialOnly(vendor) || (hasInterest(vendor) && !draft.objectedVendors.has(vendor.id)),
      )
      .map(({ id }) => id),
  );
  model.setAllVendorsDisclosed();
  for (const { purpose, type, vendors: restricted } of restrictions)
    for (const id of restricted)
      model.publisherRestrictions.add(id, new PurposeRestriction(purpose, restrictionTypes[type]));
  return TCString.encode(model);
}

/** Whether a vendor asks for any consent. */
export function asksConsent({ purposes }: TcfVendor): boolean {
  return purposes.length > 0;
}

/** Whether a vendor claims a legitimate interest that can be objected to. */
export function hasInterest({ legIntPurposes }: TcfVendor): boolean {
  return legIntPurposes.length > 0;
}

/** TCF's policies: a vendor with only special purposes has its bit set if it was disclosed, since nobody can object to these. */
function isSpecialOnly({ purposes, legIntPurposes, specialPurposes }: TcfVendor): boolean {
  return purposes.length === 0 && legIntPurposes.length === 0 && specialPurposes.length > 0;
}
