// A vendor list in IAB Europe's format 3 with made-up companies, for screenshots without IAB's list.

type Terms = readonly [id: number, name: string][];

const purposes: Terms = [
  [1, "Store and/or access information on a device"],
  [2, "Use limited data to select advertising"],
  [3, "Create profiles for personalised advertising"],
  [4, "Use profiles to select personalised advertising"],
  [7, "Measure advertising performance"],
  [8, "Measure content performance"],
  [9, "Understand audiences through statistics or combinations of data from different sources"],
  [10, "Develop and improve services"],
];
const names = [
  ..."Adfinity Labs|Audience Harbour|Beacon & Birch|Blue Lantern Media|Clearwater Metrics".split(
    "|",
  ),
  ..."Copperfield Exchange|Fieldnote Analytics|Greyhound Bidding|Kestrel Data|Lumen Reach".split(
    "|",
  ),
  ..."Meridian Ads|Northwind Media|Orchard Insights|Papertrail Measurement".split("|"),
  ..."Quiet Signal|Riverside Programmatic|Saltmarsh Audiences|Tidewater Video".split("|"),
];

const toTerms = (terms: Terms) =>
  Object.fromEntries(
    terms.map(([id, name]) => [
      id,
      { id, name, description: `${name}: what it means in plain words.`, illustrations: [name] },
    ]),
  );

/** The list as a file for the setting `TCF_VENDOR_LIST`. */
export function toVendorList(): object {
  const vendors = names.map((name, at) => ({
    id: at * 7 + 11,
    name,
    purposes: at % 3 === 0 ? [1, 2, 7] : [1, 3, 4, 9],
    legIntPurposes: at % 4 === 0 ? [8, 10] : [],
    flexiblePurposes: [],
    specialPurposes: [1, 2],
    features: [1],
    specialFeatures: [],
    dataDeclaration: [1],
    dataRetention: { stdRetention: 90, purposes: {}, specialPurposes: {} },
    usesCookies: true,
    cookieMaxAgeSeconds: 86_400 * 180,
    cookieRefresh: false,
    usesNonCookieAccess: false,
    urls: [{ langId: "en", privacy: `https://vendor-${at}.example/privacy` }],
    deviceStorageDisclosureUrl: `https://vendor-${at}.example/storage.json`,
  }));
  return {
    gvlSpecificationVersion: 3,
    vendorListVersion: 118,
    tcfPolicyVersion: 5,
    lastUpdated: "2026-10-01T16:00:00Z",
    purposes: toTerms(purposes),
    specialPurposes: toTerms([
      [1, "Ensure security, prevent and detect fraud, and fix errors"],
      [2, "Deliver and present advertising and content"],
    ]),
    features: toTerms([[1, "Match and combine data from other data sources"]]),
    specialFeatures: toTerms([[1, "Use precise geolocation data"]]),
    stacks: {},
    dataCategories: toTerms([[1, "IP addresses"]]),
    vendors: Object.fromEntries(vendors.map((vendor) => [vendor.id, vendor])),
  };
}
