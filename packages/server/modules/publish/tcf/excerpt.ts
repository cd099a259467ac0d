import type { TcfStack, TcfTexts, TcfVendor, TcfVendorList } from "@avow/contract/tcf";

const FALLBACK_LANGUAGE = "en";
type Terms = TcfTexts["purposes"];

/** The fields of a vendor that visitors or the TC string need. */
const vendorFields = [
  "id",
  "name",
  "purposes",
  "legIntPurposes",
  "flexiblePurposes",
  "specialPurposes",
  "features",
  "specialFeatures",
  "dataDeclaration",
  "dataRetention",
  "usesCookies",
  "cookieMaxAgeSeconds",
  "cookieRefresh",
  "usesNonCookieAccess",
  "deviceStorageDisclosureUrl",
] as const satisfies readonly (keyof TcfVendor)[];

/** The vendors that a project uses, and those of its ids that are not available. */
export interface ChosenVendors {
  vendors: Record<string, TcfVendor>;
  /** Removed by IAB: people must not be asked for them any more. */
  deleted: number[];
  unknown: number[];
}

/** The vendors of a list with these ids, with their links in these languages if available. */
export function chooseVendors(
  list: Pick<TcfVendorList, "vendors">,
  ids: readonly number[],
  languages: readonly string[],
): ChosenVendors {
  const chosen: ChosenVendors = { vendors: {}, deleted: [], unknown: [] };
  for (const id of new Set(ids.toSorted((a, b) => a - b))) {
    const vendor = list.vendors[id];
    if (!vendor) chosen.unknown.push(id);
    else if (vendor.deletedDate === undefined) chosen.vendors[id] = cutVendor(vendor, languages);
    else chosen.deleted.push(id);
  }
  return chosen;
}

/** IAB's texts that these vendors reference, and the stacks for their purposes that restrictions leave. */
export function cutTexts(
  texts: TcfTexts,
  vendors: Record<string, TcfVendor>,
  restricted: Record<string, TcfVendor> = vendors,
): TcfTexts {
  const all = Object.values(vendors);
  const cut = (
    terms: Terms | undefined,
    idsOf: (vendor: TcfVendor) => readonly number[],
  ): Terms => {
    const ids = new Set(all.flatMap(idsOf));
    const used = Object.values(terms ?? {}).filter(({ id }) => ids.has(id));
    return Object.fromEntries(used.map((term) => [term.id, cutTerm(term)]));
  };
  const stacks = chooseStacks(Object.values(texts.stacks ?? {}), Object.values(restricted));
  return {
    ...(stacks.length > 0 && { stacks: Object.fromEntries(stacks.map((one) => [one.id, one])) }),
    purposes: cut(texts.purposes, (one) => [
      ...one.purposes,
      ...one.legIntPurposes,
      ...one.flexiblePurposes,
    ]),
    specialPurposes: cut(texts.specialPurposes, (one) => one.specialPurposes),
    features: cut(texts.features, (one) => one.features),
    specialFeatures: cut(texts.specialFeatures, (one) => one.specialFeatures),
    dataCategories: cut(texts.dataCategories, (one) => one.dataDeclaration ?? []),
  };
}

/**
 * The stacks whose purposes and special features the vendors all have, the largest first. None has a purpose or special feature of
 * another, as TCF's policies require.
 */
function chooseStacks(stacks: readonly TcfStack[], vendors: readonly TcfVendor[]): TcfStack[] {
  const left = new Set(
    vendors.flatMap(({ purposes, legIntPurposes, specialFeatures }) =>
      keysOf([...purposes, ...legIntPurposes], specialFeatures),
    ),
  );
  const bySize = stacks.toSorted((a, b) => sizeOf(b) - sizeOf(a) || a.id - b.id);
  return bySize.flatMap(({ id, name, description, purposes, specialFeatures }) => {
    const keys = keysOf(purposes, specialFeatures);
    if (keys.length < 2 || !keys.every((key) => left.has(key))) return [];
    for (const key of keys) left.delete(key);
    return [{ id, name, description, purposes, specialFeatures }];
  });
}

function keysOf(purposes: readonly number[], features: readonly number[]): string[] {
  return [...purposes.map((id) => `purpose ${id}`), ...features.map((id) => `feature ${id}`)];
}

function sizeOf({ purposes, specialFeatures }: TcfStack): number {
  return purposes.length + specialFeatures.length;
}

/** References of vendors that these texts lack, such as `purposes 12`. */
export function findMissingTexts(texts: TcfTexts, vendors: Record<string, TcfVendor>): string[] {
  const missing = new Set<string>();
  const check = (name: string, terms: Terms | undefined, ids: readonly number[] = []): void => {
    for (const id of ids) if (!terms?.[id]) missing.add(`${name} ${id}`);
  };
  for (const vendor of Object.values(vendors)) {
    check("purposes", texts.purposes, vendor.purposes);
    check("purposes", texts.purposes, vendor.legIntPurposes);
    check("purposes", texts.purposes, vendor.flexiblePurposes);
    check("specialPurposes", texts.specialPurposes, vendor.specialPurposes);
    check("features", texts.features, vendor.features);
    check("specialFeatures", texts.specialFeatures, vendor.specialFeatures);
    check("dataCategories", texts.dataCategories, vendor.dataDeclaration);
  }
  return [...missing];
}

function cutTerm({ id, name, description, illustrations }: Terms[string]): Terms[string] {
  return { id, name, description, ...(illustrations?.length ? { illustrations } : {}) };
}

function cutVendor(vendor: TcfVendor, languages: readonly string[]): TcfVendor {
  const entries = vendorFields
    .filter((field) => vendor[field] !== undefined)
    .map((field) => [field, vendor[field]]);
  const urls = [...languages, FALLBACK_LANGUAGE]
    .map((language) => vendor.urls?.find(({ langId }) => langId.toLowerCase() === language))
    .filter((one) => one !== undefined);
  const kept = urls.length > 0 ? [...new Set(urls)] : (vendor.urls ?? []).slice(0, 1);
  return {
    ...(Object.fromEntries(entries) as TcfVendor),
    ...(kept.length > 0 ? { urls: kept } : {}),
  };
}
