import type { Names, Options } from "./options.ts";
import type { Cookies } from "./site.ts";

/**
 * The visitor's answers in the cookie, in the format that readers of this family of widgets know: these members, and a
 * boolean for each vendor.
 */
export interface Memory {
  $$token?: string;
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

/** Names, lifetime and domain of the cookies. */
export interface MemoryOptions {
  choices: string;
  authorized: string;
  all: string;
  days: number;
  /** Such as `.shop.example`, for all of its hosts. */
  domain?: string | undefined;
}

const DAYS = 180;
const DAY_SECONDS = 86_400;
const TOKEN_CHARACTERS_MAX = 256;

/** The names of a configuration's cookies, which options of the page replace. */
export function toMemoryOptions(options: Options, { settings = {} }: Cookies): MemoryOptions {
  const {
    jsonCookieName: choices = "axeptio_cookies",
    authorizedVendorsCookieName: authorized = "axeptio_authorized_vendors",
    allVendorsCookieName: all = "axeptio_all_vendors",
    userCookiesDomain: domain,
    expiresAfterDays,
  } = { ...settings, ...options } as Partial<Names> & { expiresAfterDays?: number };
  return { choices, authorized, all, domain, days: Number(expiresAfterDays) || DAYS };
}

/** Reads the stored answers; empty when there are none, storage is blocked, or they have expired. */
export function readMemory({ choices, days }: MemoryOptions): Memory {
  let newest: Memory = {};
  try {
    // A parent domain may have a cookie of the same name, which cannot be distinguished.
    for (const text of [...readCookies(choices), localStorage[choices] as string]) {
      const memory = toMemory(text);
      if (memory && dateOf(memory) >= dateOf(newest)) newest = memory;
    }
  } catch {
    // Storage is blocked.
  }
  // Local storage does not expire by itself.
  const isExpired = newest.$$date && Date.now() - dateOf(newest) > DAY_SECONDS * 1000 * days;
  return isExpired ? {} : newest;
}

function toMemory(text: string): Memory | undefined {
  try {
    const memory = JSON.parse(decodeURIComponent(text)) as Memory;
    const { $$token: token = "-" } = memory;
    return token && token.length <= TOKEN_CHARACTERS_MAX ? memory : undefined;
  } catch {
    // Truncated, or not ours.
    return undefined;
  }
}

/** Milliseconds since 1970; 0 for none. */
function dateOf({ $$date }: Memory): number {
  return Date.parse($$date ?? "") || 0;
}

/**
 * Stores the answers: a JSON object, and two lists of vendors. If the object is too large for a cookie, it is stored in
 * local storage.
 */
export function writeMemory(options: MemoryOptions, memory: Memory): void {
  const { choices } = options;
  const text = encodeURIComponent(JSON.stringify(memory));
  const answers = Object.keys(memory).filter((name) => !name.startsWith("$$"));
  try {
    writeCookie(options, choices, text);
    writeCookie(
      options,
      options.authorized,
      encodeURIComponent(toList(answers.filter((name) => memory[name]))),
    );
    writeCookie(options, options.all, encodeURIComponent(toList(answers)));
    localStorage.removeItem(choices);
    if (!readCookies(choices).includes(text)) localStorage.setItem(choices, text);
  } catch {
    // Storage is blocked. The answer lasts as long as the page, and the next page asks again.
  }
}

/** `,a,b,`: each name is between commas, so that readers can search for it. */
export function toList(names: readonly string[]): string {
  return ["", ...names, ""].join();
}

function readCookies(name: string): string[] {
  const found = document.cookie.split("; ").filter((one) => one.startsWith(`${name}=`));
  return found.map((one) => one.slice(name.length + 1));
}

/** Writes one cookie, and removes those that earlier settings left for this host or a parent domain. */
function writeCookie({ days, domain }: MemoryOptions, name: string, value: string): void {
  const set = (text: string, seconds: number, host?: string): void => {
    const secure = location.protocol === "https:" ? ";secure" : "";
    const where = host ? `;domain=${host}` : "";
    document.cookie = `${name}=${text};path=/;max-age=${seconds};samesite=lax${secure}${where}`;
  };
  set("", 0);
  for (const hosts = location.hostname.split("."); hosts[1]; hosts.shift())
    set("", 0, hosts.join("."));
  set(value, days * DAY_SECONDS, domain);
}
