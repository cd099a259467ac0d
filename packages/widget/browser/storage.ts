import type { ConsentStorage } from "../headless/ports.ts";
import { readCookies, writeCookie } from "../page/cookies.ts";

/**
 * The widget's cookies for answers, so that a server reads them and a page with the widget knows them, and local storage
 * for the rest. An answer that is too large for a cookie is in local storage.
 */
export function createCookieStorage(): ConsentStorage {
  return {
    read: (name) => [...readCookies(name), ...[localStorage.getItem(name) ?? []].flat()],
    write(name, text, lifetime) {
      if (!lifetime) return localStorage.setItem(name, text);
      writeCookie(lifetime, name, text);
      localStorage.removeItem(name);
      if (!readCookies(name).includes(text)) localStorage.setItem(name, text);
    },
  };
}
