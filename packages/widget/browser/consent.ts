import type { Consent, ConsentOptions } from "../headless/api.ts";
import { createConsent } from "../headless/consent.ts";
import { isOptedOut } from "../page/consent-mode.ts";
import { createCookieStorage } from "./storage.ts";

/** Options of `createBrowserConsent`: all have defaults of the browser, except `project` and `url`. */
export interface BrowserConsentOptions extends ConsentOptions {
  /** BCP 47; takes precedence over the page's `lang`, then the browser's languages. */
  language?: string | undefined;
}

/** `createConsent` with the storage, the languages, the address and the Global Privacy Control of a browser. */
export function createBrowserConsent({ language, ...options }: BrowserConsentOptions): Consent {
  const { lang } = document.documentElement;
  return createConsent({
    storage: createCookieStorage(),
    languages: [language, lang, ...navigator.languages].filter((one): one is string =>
      Boolean(one),
    ),
    gpc: isOptedOut(),
    page: () =>
      location.origin.startsWith("http") ? location.origin + location.pathname : undefined,
    ...options,
  });
}
