import { stat } from "node:fs/promises";
import type { Config } from "../../../config/config.ts";
import { Fault, codeOf } from "../../../platform/errors.ts";
import type { Page, PageQuery } from "../../../kernel/page.ts";
import type { TcfVendor } from "@avow/contract/tcf";
import { TO_OPERATOR, readVendorList } from "./vendor-list.ts";

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
 * once, and again when its file changes.
 */
export function openVendors({ tcfVendorList }: Pick<Config, "tcfVendorList">): ListVendors {
  let known: { stamp: string; vendors: Promise<ListedVendor[]> } | undefined;
  return async ({ page, perPage }) => {
    if (tcfVendorList === undefined)
      throw new Fault("impossible", `This service has no vendor list. ${TO_OPERATOR}`);
    const stamp = await toStamp(tcfVendorList);
    if (known?.stamp !== stamp) known = { stamp, vendors: readVendors(tcfVendorList) };
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

async function readVendors(path: string): Promise<ListedVendor[]> {
  const { vendors } = await readVendorList(path);
  return Object.values(vendors)
    .filter(({ deletedDate }) => deletedDate === undefined)
    .map(toListed)
    .toSorted((a, b) => a.name.localeCompare(b.name, "en"));
}

/** A stamp that changes with the file. */
async function toStamp(path: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "none";
    throw error;
  }
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
