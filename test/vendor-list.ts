import { writeFile } from "node:fs/promises";
import { service } from "./harness.ts";

type Fields = Record<string, unknown>;

const toTerms = (kind: string, ids: readonly number[]) =>
  Object.fromEntries(
    ids.map((id) => [
      id,
      {
        id,
        name: `${kind} ${id}`,
        description: `What ${kind} ${id} means.`,
        illustrations: [`For example ${id}.`],
      },
    ]),
  );

/** A vendor as IAB lists one: it asks consent for purpose 1, unless `fields` say otherwise. */
export function newVendor(id: number, fields: Fields = {}): Fields {
  return {
    id,
    name: `Vendor ${id}`,
    purposes: [1],
    legIntPurposes: [],
    flexiblePurposes: [],
    specialPurposes: [],
    features: [],
    specialFeatures: [],
    dataDeclaration: [1],
    dataRetention: { stdRetention: 30, purposes: { 1: 60 }, specialPurposes: {} },
    usesCookies: true,
    cookieMaxAgeSeconds: 86_400 * 90,
    cookieRefresh: true,
    usesNonCookieAccess: false,
    urls: [
      {
        langId: "en",
        privacy: `https://vendor-${id}.example/privacy`,
        legIntClaim: `https://vendor-${id}.example/claim`,
      },
      {
        langId: "fr",
        privacy: `https://vendor-${id}.example/fr`,
        legIntClaim: `https://vendor-${id}.example/fr-claim`,
      },
    ],
    deviceStorageDisclosureUrl: `https://vendor-${id}.example/storage.json`,
    ...fields,
  };
}

/**
 * A vendor list in IAB's format 3 with made-up vendors: 2 asks consent for one purpose and claims
 * legitimate interest in another, 5 claims legitimate interest only, 8 declares special purposes only, 9
 * declares a special feature, 11 is removed.
 */
export const smallVendorList = {
  gvlSpecificationVersion: 3,
  vendorListVersion: 12,
  tcfPolicyVersion: 5,
  lastUpdated: "2026-10-01T16:00:00Z",
  purposes: toTerms("Purpose", [1, 2, 3, 7, 11]),
  specialPurposes: toTerms("Special purpose", [1, 2]),
  features: toTerms("Feature", [1, 2, 3]),
  specialFeatures: toTerms("Special feature", [1, 2]),
  stacks: {},
  dataCategories: toTerms("Data", [1, 2]),
  vendors: Object.fromEntries(
    [
      newVendor(2, { purposes: [1, 3], legIntPurposes: [7], features: [2] }),
      newVendor(5, { purposes: [], legIntPurposes: [2, 7], flexiblePurposes: [7] }),
      newVendor(8, { purposes: [], specialPurposes: [1] }),
      newVendor(9, { purposes: [1], specialFeatures: [1], specialPurposes: [1] }),
      newVendor(11, { deletedDate: "2026-01-01T00:00:00Z" }),
    ].map((vendor) => [vendor["id"], vendor]),
  ) as Record<string, Fields>,
};

/** Writes the vendor list that the tests' service reads at the next publication. */
export async function writeVendorList(list: object = smallVendorList): Promise<void> {
  await writeFile(service.config.tcfVendorList ?? "", JSON.stringify(list));
}
