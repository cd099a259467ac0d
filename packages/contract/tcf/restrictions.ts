import type { TcfContent, TcfRestriction, TcfVendor } from "./tcf.ts";

export type RestrictionType = TcfRestriction["type"];

/** Effects of a publisher restriction on a purpose of a vendor, the strictest first (TCF, Publisher Restrictions). */
export const restrictionTypes = [
  "not-allowed",
  "require-consent",
  "require-legitimate-interest",
] as const satisfies readonly RestrictionType[];

/** Purposes that no vendor may base on a legitimate interest (TCF 2.3). */
const consentOnly = new Set([1, 3, 4, 5, 6]);

/** Whether a restriction changes anything for a vendor: another legal basis needs a flexible purpose. */
export function isRestrictable(
  { purposes, legIntPurposes, flexiblePurposes }: TcfVendor,
  purpose: number,
  type: RestrictionType,
): boolean {
  if (type === "not-allowed") return purposes.includes(purpose) || legIntPurposes.includes(purpose);
  if (!flexiblePurposes.includes(purpose)) return false;
  if (type === "require-consent") return legIntPurposes.includes(purpose);
  return purposes.includes(purpose) && !consentOnly.has(purpose);
}

/** The vendors with the purposes and legal bases that the publisher's restrictions leave. */
export function toRestrictedVendors({
  vendors,
  restrictions = [],
}: Pick<TcfContent, "vendors" | "restrictions">): Record<string, TcfVendor> {
  if (restrictions.length === 0) return vendors;
  const restricted = Object.entries(vendors).map(([id, vendor]) => {
    let { purposes, legIntPurposes } = vendor;
    for (const { purpose, type, vendors: ids } of restrictions) {
      if (!ids.includes(vendor.id)) continue;
      const isOther = (other: number): boolean => other !== purpose;
      purposes = purposes.filter(isOther);
      legIntPurposes = legIntPurposes.filter(isOther);
      if (type === "require-consent") purposes = [...purposes, purpose].toSorted(byNumber);
      if (type === "require-legitimate-interest")
        legIntPurposes = [...legIntPurposes, purpose].toSorted(byNumber);
    }
    return [id, { ...vendor, purposes, legIntPurposes }];
  });
  return Object.fromEntries(restricted) as Record<string, TcfVendor>;
}

function byNumber(a: number, b: number): number {
  return a - b;
}
