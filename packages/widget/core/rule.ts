import { type ConsentModel, type VendorUse, findRule, soldUses } from "@avow/contract/regions";
import { type Cookies, type Vendor, listRefusable } from "./site.ts";

/** A visitor's region, and whether they send Global Privacy Control. */
export interface Located {
  /** Such as `FR` or `US-CA`; undefined if unknown. */
  region: string | undefined;
  gpc: boolean;
}

/** A configuration as it asks in a region. */
export interface RegionalCookies {
  cookies: Cookies;
  model: ConsentModel;
  /** Vendors that run before an answer; undefined in the model opt-in. */
  on: ReadonlySet<string> | undefined;
  /** Vendors that Global Privacy Control refuses. */
  refused: readonly string[];
}

/** Applies the rule of the visitor's region. An unknown region has the strictest rule. */
export function applyRule(cookies: Cookies, { region, gpc }: Located): RegionalCookies {
  const rule = findRule(cookies.regions ?? [], region);
  const model = rule?.model ?? "opt-in";
  const isAsking = model === "opt-in";
  const { steps: [first, ...more] = [], settings, strings } = cookies;
  const { title = first?.title, message = first?.message, defaults = {} } = rule ?? {};
  const steps = (first ? [{ ...first, title, message } as typeof first, ...more] : []).filter(
    // TCF asks for consent.
    ({ layout }) => isAsking || layout !== "iab",
  );
  const own: Cookies = {
    ...cookies,
    steps,
    strings: { ...strings, ...rule?.strings },
    settings: model === "none" ? { ...settings, launcher: false } : { ...settings },
  };
  const refused = gpc ? listUsed(own, soldUses) : [];
  const isOn = ({ name }: Vendor): boolean => defaults[name] !== false && !refused.includes(name);
  const on = isAsking
    ? undefined
    : new Set(
        listRefusable(own)
          .filter(isOn)
          .map(({ name }) => name),
      );
  return { cookies: own, model, on, refused };
}

/** The vendors that can be refused and have one of these uses. */
export function listUsed(cookies: Cookies, wanted: readonly VendorUse[]): string[] {
  return listRefusable(cookies)
    .filter(({ uses = soldUses }) => wanted.some((use) => uses.includes(use)))
    .map(({ name }) => name);
}

/** The answer that refuses these vendors. */
export function toRefusal(vendors: readonly string[]): Record<string, boolean> {
  return Object.fromEntries(vendors.map((name) => [name, false]));
}
