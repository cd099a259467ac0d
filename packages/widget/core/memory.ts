import type { Cookies } from "./site.ts";

/**
 * The visitor's answers in the cookie, in the format that readers of this family of widgets know: these members, and a
 * boolean for each vendor.
 */
export interface Memory {
  $$token?: string;
  /** Whether the site had set the token, so that the answers are those of a person that it knows. */
  $$known?: unknown;
  /** The time of the answer, RFC 3339. */
  $$date?: string;
  /** The cookie configuration that was answered. */
  $$cookiesVersion?: { name: string; identifier: string };
  /** Whether the visitor has answered, or has seen a banner without vendors to ask for. */
  $$completed?: boolean;
  $$googleConsentMode?: object | undefined;
  /** The digest of each vendor's offer, so that it is asked again after a material change. */
  $$asked?: Record<string, string | undefined>;
  /** The other consent tool that each vendor's answer was adopted from. */
  $$imported?: Record<string, string>;
  /** Until this time, and once more, each load deletes what refused vendors stored; ms since 1970. */
  $$clean?: number | undefined;
  /** The time of the next poll of the service for newer answers, ms since 1970. */
  $$next?: number;
  /** Expiry of the link to the visitor's own page, RFC 3339. Until then each load polls the service. */
  $$personUntil?: string;
  /** Whether an opt-out is to be confirmed to the visitor. */
  $$confirm?: boolean | undefined;
  /** Whether Global Privacy Control has refused vendors; an acceptance after it stands. */
  $$gpc?: boolean | undefined;
  $$tcString?: string;
  /** The string of Google's Additional Consent. */
  $$addtlConsent?: string | undefined;
  /** Digests of the declarations of TCF's vendors at the time of the answer. */
  $$tcfDeclared?: string;
  [vendor: string]: unknown;
}

/** Time after a refusal in which tags of other tabs may still store data. */
export const CLEAN_MS = 600_000;

/** The stored answers of a visitor. */
export interface MemoryStore {
  /** Empty when there are none, storage is blocked, or they have expired. */
  readMemory(): Memory;
  writeMemory(memory: Memory): void;
}

/** The lifetime of answers by default, in days. */
const DAYS = 180;
export const DAY_SECONDS = 86_400;
const TOKEN_CHARACTERS_MAX = 256;

/** The lifetime of the answers to a configuration, in days. */
export function toDays(settings: Cookies["settings"]): number {
  return Number(settings?.expiresAfterDays) || DAYS;
}

/** The newest of these stored texts; empty if there is none, or if it has expired after `days`. */
export function chooseMemory(texts: readonly (string | undefined)[], days: number): Memory {
  let newest: Memory = {};
  for (const text of texts) {
    const memory = toMemory(text);
    if (memory && dateOf(memory) >= dateOf(newest)) newest = memory;
  }
  // Not every storage expires by itself.
  const isExpired = newest.$$date && Date.now() - dateOf(newest) > DAY_SECONDS * 1000 * days;
  return isExpired ? {} : newest;
}

function toMemory(text: string | undefined): Memory | undefined {
  try {
    const memory = JSON.parse(decodeURIComponent(text as string)) as Memory;
    const { $$token: token = "-" } = memory;
    return token && token.length <= TOKEN_CHARACTERS_MAX ? memory : undefined;
  } catch {
    // Truncated, or not ours.
    return undefined;
  }
}

/** Milliseconds since 1970; 0 for none. */
function dateOf({ $$date }: Memory): number {
  return Date.parse($$date as string) || 0;
}

/** The text of a cookie or another storage; `chooseMemory` reads it. */
export function toMemoryText(memory: Memory): string {
  return encodeURIComponent(JSON.stringify(memory));
}

/** `,a,b,`: each name is between commas, so that readers can search for it. */
export function toList(names: readonly string[]): string {
  return ["", ...names, ""].join();
}
