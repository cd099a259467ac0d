import type { Vendor } from "./site.ts";

/** The signals of Google Consent Mode v2. */
const consentTypes = ["ad_storage", "ad_user_data", "ad_personalization", "analytics_storage"];

export type Grants = Record<string, "granted" | "denied">;

/** The consent mode of the answers: a signal is granted if every vendor with it was accepted. */
export function toConsentMode(
  vendors: readonly Vendor[],
  isAccepted: (vendor: string) => boolean,
): Grants {
  const grants: Grants = {};
  for (const { name, googleConsentMode } of vendors)
    for (const type of toTypes(googleConsentMode))
      grants[type] = isAccepted(name) && grants[type] !== "denied" ? "granted" : "denied";
  for (const type of consentTypes) grants[type] ??= "denied";
  return grants;
}

/** The signals of a vendor, which are a list, or an object with a boolean for each. */
function toTypes(types: Vendor["googleConsentMode"] = []): string[] {
  return Array.isArray(types) ? types : Object.keys(types).filter((type) => types[type]);
}
