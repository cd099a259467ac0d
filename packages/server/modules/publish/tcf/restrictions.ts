import type { TcfSettings } from "@avow/contract/configuration";
import type { TcfRestriction, TcfVendor } from "@avow/contract/tcf";
import { isRestrictable, restrictionTypes } from "@avow/contract/tcf-restrictions";

type GivenRestriction = NonNullable<TcfSettings["restrictions"]>[number];

/**
 * The restrictions that apply to these vendors. If a vendor has several of one purpose, the strictest applies. `unused` are the
 * purposes whose restriction applies to no vendor.
 */
export function chooseRestrictions(
  given: readonly GivenRestriction[],
  vendors: Readonly<Record<string, TcfVendor>>,
): { restrictions: TcfRestriction[]; unused: number[] } {
  const restrictions: TcfRestriction[] = [];
  const taken = new Set<string>();
  const unused: number[] = [];
  const byStrictness = given.toSorted(
    (a, b) => restrictionTypes.indexOf(a.type) - restrictionTypes.indexOf(b.type),
  );
  for (const { purpose, type, vendors: ids } of byStrictness) {
    const applying = Object.values(vendors).filter(
      (vendor) =>
        ids?.includes(vendor.id) !== false &&
        isRestrictable(vendor, purpose, type) &&
        !taken.has(`${purpose} ${vendor.id}`),
    );
    for (const { id } of applying) taken.add(`${purpose} ${id}`);
    if (applying.length > 0)
      restrictions.push({ purpose, type, vendors: applying.map(({ id }) => id) });
    else unused.push(purpose);
  }
  return { restrictions, unused };
}
