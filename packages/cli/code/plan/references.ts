// Banners refer to vendors of the vault by their ids. Files have their names, so that they work in other projects.
import { type JsonObject, isObject, readList, readObject } from "@avow/contract/json";
import type { Kind } from "../files/kinds.ts";

/** Names of vendors by their ids. */
export type VendorNames = ReadonlyMap<string, string>;

/** Names that stand for one vendor each; the first vendor of a name, which is the project's own, has it. */
export function toVendorNames(vendors: readonly { id: string; name: string }[]): VendorNames {
  const taken = new Set<string>();
  return new Map(
    vendors.flatMap(({ id, name }): [string, string][] => {
      if (taken.has(name)) return [];
      taken.add(name);
      return [[id, name]];
    }),
  );
}

export function withVendorNames(kind: Kind, body: JsonObject, names: VendorNames): JsonObject {
  return mapVendorTexts(kind, body, (text) => names.get(text) ?? text);
}

/** A banner with each vendor that is a text replaced by what `replace` returns. */
export function mapVendorTexts(
  kind: Kind,
  body: JsonObject,
  replace: (text: string, pointer: string) => unknown,
): JsonObject {
  const steps = body["steps"];
  if (kind.kind !== "banner" || !Array.isArray(steps)) return body;
  return {
    ...body,
    steps: steps.map((step: unknown, at) => {
      const { vendors } = readObject(step);
      if (!isObject(step) || !Array.isArray(vendors)) return step;
      const replaced = vendors.map((entry: unknown, n) =>
        typeof entry === "string" ? replace(entry, `/steps/${at}/vendors/${n}`) : entry,
      );
      return { ...step, vendors: replaced };
    }),
  };
}

/** The vendors of a banner that are texts. */
export function listVendorTexts(kind: Kind, body: JsonObject): string[] {
  const texts: string[] = [];
  mapVendorTexts(kind, body, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

/** A banner with the vendors of another version of it, step by step. */
export function withVendorsOf(kind: Kind, body: JsonObject, other: JsonObject): JsonObject {
  if (kind.kind !== "banner" || !Array.isArray(body["steps"])) return body;
  const others = readList(other["steps"]);
  return {
    ...body,
    steps: body["steps"].map((step: unknown, at) => {
      const { vendors } = readObject(others[at]);
      return isObject(step) && vendors !== undefined ? { ...step, vendors } : step;
    }),
  };
}
