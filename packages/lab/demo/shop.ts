import { readFile } from "node:fs/promises";
import { type JsonObject, isObject } from "@avow/contract/json";

export const collections = ["cookies", "processings", "contracts"] as const;
export type Collection = (typeof collections)[number];

export interface Vendor {
  name: string;
  title?: string;
  type?: string;
  required?: boolean;
}

/** A configuration as the vault returns it, or as in the file (without id). */
export interface Configuration {
  id: string;
  name?: string;
  title?: string;
  language?: string;
  steps?: readonly { name: string; vendors?: readonly Vendor[] }[];
}

/** The configuration file: a project and its configurations, in the format of the vault. */
export type Shop = { project: JsonObject } & Record<Collection, readonly JsonObject[]>;

/** Reads a configuration file; throws an error that describes a problem in it. */
export async function readShop(file: string): Promise<Shop> {
  const read: unknown = JSON.parse(await readFile(file, "utf8"));
  if (!isObject(read) || !isObject(read["project"]))
    throw new Error(`${file}: expected an object with "project", as in examples/shop.json.`);
  const listOf = (collection: Collection): JsonObject[] => {
    const list = read[collection] ?? [];
    if (Array.isArray(list) && list.every(isObject)) return list;
    throw new Error(`${file}: "${collection}" must be a list of configurations.`);
  };
  const shop: Shop = {
    project: read["project"],
    cookies: listOf("cookies"),
    processings: listOf("processings"),
    contracts: listOf("contracts"),
  };
  if (shop.cookies.length > 0) return shop;
  throw new Error(`${file}: the demo needs at least one configuration in "cookies".`);
}

/** The vendors that visitors can accept or refuse, with their step. */
export function listAskedVendors({ steps = [] }: Configuration): (Vendor & { step: string })[] {
  return steps.flatMap(({ name: step, vendors = [] }) =>
    vendors.filter(({ required }) => required !== true).map((vendor) => ({ ...vendor, step })),
  );
}

export function titleOf({ title, name, id }: Configuration): string {
  return title ?? name ?? id;
}
