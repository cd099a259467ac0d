import {
  DAY_SECONDS,
  type Memory,
  type MemoryStore,
  chooseMemory,
  toList,
  toMemoryText,
} from "../core/memory.ts";
import type { Cookies } from "../core/site.ts";
import { type CookieOptions, toCookieOptions } from "../core/cookie-options.ts";
import type { Options } from "./options.ts";

/**
 * The answers in the page's cookies: a JSON object, and two lists of vendors. If the object is too large for a cookie, it
 * is stored in local storage.
 */
export function openCookieMemory(wanted: Options, cookies: Cookies): MemoryStore {
  const options = toCookieOptions(wanted, cookies);
  const { choices, days } = options;
  return {
    readMemory() {
      try {
        // A parent domain may have a cookie of the same name, which cannot be distinguished.
        return chooseMemory([...readCookies(choices), localStorage[choices] as string], days);
      } catch {
        // Storage is blocked.
        return {};
      }
    },
    writeMemory(memory: Memory) {
      const text = toMemoryText(memory);
      const answers = Object.keys(memory).filter((name) => !name.startsWith("$$"));
      try {
        writeCookie(options, choices, text);
        writeCookie(
          options,
          options.authorized,
          encodeURIComponent(toList(answers.filter((name) => memory[name]))),
        );
        writeCookie(options, options.answeredList, encodeURIComponent(toList(answers)));
        localStorage.removeItem(choices);
        if (!readCookies(choices).includes(text)) localStorage.setItem(choices, text);
      } catch {
        // Storage is blocked. The answer lasts as long as the page, and the next page asks again.
      }
    },
  };
}

export function readCookies(name: string): string[] {
  const found = document.cookie.split("; ").filter((one) => one.startsWith(`${name}=`));
  return found.map((one) => one.slice(name.length + 1));
}

/** Writes one cookie, and removes those that earlier settings left for this host or a parent domain. */
export function writeCookie(
  { days, domain }: Pick<CookieOptions, "days" | "domain">,
  name: string,
  value: string,
): void {
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
