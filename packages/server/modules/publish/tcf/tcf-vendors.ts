import { Fault } from "../../../platform/errors.ts";
import type { Page, PageQuery } from "../../../kernel/page.ts";
import type { TcfVendor } from "@avow/contract/tcf";
import { type ListApp, type ListCopy, TO_OPERATOR, findListCopy } from "./lists.ts";

/** A vendor of IAB's list that a project can choose. */
interface ListedVendor extends Pick<
  TcfVendor,
  "id" | "name" | "purposes" | "legIntPurposes" | "specialPurposes" | "features" | "specialFeatures"
> {
  policyUrl?: string;
}

/** Reads a page of IAB's vendors. @throws Fault impossible if there is no list or it cannot be read */
export type ListVendors = (query: PageQuery) => Promise<Page<ListedVendor>>;

/**
 * Lists the vendors of IAB's list by name, without those that IAB has removed. The list is read and validated
 * once, and again when it changes.
 */
export function openVendors(app: ListApp): ListVendors {
  let known: { stamp: string; vendors: Promise<ListedVendor[]> } | undefined;
  return async ({ page, perPage }) => {
    const copy = await findListCopy(app);
    if (!copy) throw new Fault("impossible", `This service has no vendor list. ${TO_OPERATOR}`);
    const { stamp } = copy;
    if (known?.stamp !== stamp) known = { stamp, vendors: readVendors(copy) };
    const vendors = await known.vendors.catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return {
      items: vendors.slice((page - 1) * perPage, page * perPage),
      total: vendors.length,
    };
  };
}

async function readVendors(copy: ListCopy): Promise<ListedVendor[]> {
  const { vendors } = await copy.read();
  return Object.values(vendors)
    .filter(({ deletedDate }) => deletedDate === undefined)
    .map(toListed)
    .toSorted((a, b) => a.name.localeCompare(b.name, "en"));
}

function toListed({ urls, ...vendor }: TcfVendor): ListedVendor {
  const { id, name, purposes, legIntPurposes, specialPurposes, features, specialFeatures } = vendor;
  const english = urls?.find(({ langId }) => langId === "en") ?? urls?.[0];
  return {
    id,
    name,
    purposes,
    legIntPurposes,
    specialPurposes,
    features,
    specialFeatures,
    ...(english?.privacy === undefined ? {} : { policyUrl: english.privacy }),
  };
}
