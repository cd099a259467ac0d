import type { CookieConfigurationIn, Vendor } from "@avow/client/operations";
import {
  type Kind,
  type ServiceName,
  type TextLanguage,
  kinds,
  textLanguages,
  texts,
} from "./texts.ts";

/** A service that a new banner can ask for. */
export interface Proposed {
  name: string;
  title: string;
  kind: Kind;
  /** The vendor with texts in a language. */
  vendors: (language: TextLanguage) => Vendor;
}

interface Service {
  name: ServiceName;
  title: string;
  kind: Kind;
  domain: string;
  policyUrl: string;
  /** The signals of Google Consent Mode that the service follows. */
  signals?: string[];
}

/** Common services to choose from. */
export const services: readonly Service[] = [
  {
    name: "google_analytics",
    title: "Google Analytics",
    kind: "analytics",
    domain: "google-analytics.com",
    policyUrl: "https://policies.google.com/privacy",
    signals: ["analytics_storage"],
  },
  {
    name: "matomo",
    title: "Matomo",
    kind: "analytics",
    domain: "matomo.org",
    policyUrl: "https://matomo.org/privacy-policy/",
  },
  {
    name: "hotjar",
    title: "Hotjar",
    kind: "analytics",
    domain: "hotjar.com",
    policyUrl: "https://www.hotjar.com/legal/policies/privacy/",
  },
  {
    name: "google_ads",
    title: "Google Ads",
    kind: "advertising",
    domain: "google.com",
    policyUrl: "https://policies.google.com/technologies/ads",
    signals: ["ad_storage", "ad_user_data", "ad_personalization"],
  },
  {
    name: "meta_pixel",
    title: "Meta Pixel",
    kind: "advertising",
    domain: "facebook.com",
    policyUrl: "https://www.facebook.com/privacy/policy/",
  },
  {
    name: "youtube",
    title: "YouTube",
    kind: "media",
    domain: "youtube.com",
    policyUrl: "https://policies.google.com/privacy",
  },
];

const languageOfDomain: Record<string, TextLanguage> = {
  at: "de",
  be: "nl",
  ch: "de",
  de: "de",
  es: "es",
  fr: "fr",
  it: "it",
  nl: "nl",
  uk: "en",
  us: "en",
};

/** Guesses a website's language from its domain; falls back to the user's language. */
export function guessLanguage(site: string, own: TextLanguage): TextLanguage {
  const host = URL.parse(site)?.hostname ?? "";
  return languageOfDomain[host.slice(host.lastIndexOf(".") + 1)] ?? own;
}

/** The text language of a code, if it is one. */
export function toTextLanguage(code: string): TextLanguage | undefined {
  return textLanguages.find((one) => one === code);
}

/** Converts a service to a vendor with texts in a language. */
export function toVendor(
  { name, title, kind, domain, policyUrl, signals }: Service,
  language: TextLanguage,
): Vendor {
  const shortDescription = texts[language].services[name];
  const own = { name, title, shortDescription, domain, policyUrl, type: kind };
  return signals ? { ...own, googleConsentMode: signals } : own;
}

/**
 * A banner that can be published as it is: a welcome step, then a step for each kind of service. Nothing is on before
 * a choice. The widget has the button texts in the same language.
 */
export function toBanner({
  projectId,
  language,
  chosen,
}: {
  projectId: string;
  language: TextLanguage;
  chosen: readonly Proposed[];
}): CookieConfigurationIn {
  const localized = texts[language];
  const { topTitle, title, message } = localized;
  const steps = kinds.flatMap((kind) => {
    const vendors = chosen
      .filter((one) => one.kind === kind)
      .map(({ vendors: byLanguage }) => byLanguage(language));
    if (vendors.length === 0) return [];
    const isMany = vendors.length > 1 && kind !== "necessary";
    const step = { name: kind, layout: "category" as const, ...localized.kinds[kind], vendors };
    return [isMany ? { ...step, showToggleAllSwitch: true } : step];
  });
  const welcome = { name: "welcome", layout: "welcome" as const, topTitle, title, message };
  return {
    projectId,
    name: `banner-${language}`,
    title: localized.title,
    language,
    isDefault: true,
    steps: [welcome, ...steps],
  };
}
