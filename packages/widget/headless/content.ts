// The published content that interfaces show. It needs no other package, so that the types of this one stand alone.

/**
 * The names of a project. `npx avow types` writes a declaration that adds `vendor` and `form`; without it, they are any
 * text.
 */
// oxlint-disable-next-line typescript/no-empty-interface
export interface ConsentNames {}

/** The slug of a vendor. */
export type VendorName = ConsentNames extends { vendor: infer V extends string } ? V : string;

/** The name or the identifier of a consent form or a contract form. */
export type FormName = ConsentNames extends { form: infer F extends string } ? F : string;

/** A vendor that is asked for, or one that is always on. */
export interface OfferVendor {
  name: VendorName;
  title?: string | undefined;
  shortDescription?: string | undefined;
  longDescription?: string | undefined;
  domain?: string | undefined;
  policyUrl?: string | undefined;
  image?: string | undefined;
  /** Never asked, always on. */
  required?: boolean | undefined;
  /** Cookies and keys that it stores on the site's own pages. */
  storage?: readonly OfferStoredItem[] | undefined;
}

export interface OfferStoredItem {
  /** * stands for any characters. */
  name: string;
  kind?: "cookie" | "localStorage" | "sessionStorage" | "indexedDB" | undefined;
  purpose?: string | undefined;
  duration?: string | undefined;
  provider?: string | undefined;
}

/** A step of a banner, or a category of the preference center. */
export interface OfferStep {
  name: string;
  layout: "welcome" | "category" | "info" | "iab" | "soft_consent";
  title?: string | undefined;
  topTitle?: string | undefined;
  subTitle?: string | undefined;
  /** HTML, sanitized by the service: p, br, div, blockquote, code, h2 to h6, inline styles, lists and links. */
  message?: string | undefined;
  image?: string | undefined;
  /** Closes the banner without an answer, in milliseconds. */
  timeout?: number | undefined;
  showToggleAllSwitch?: boolean | undefined;
  vendors?: readonly OfferVendor[] | undefined;
  /** Texts that replace the usual ones, by their name. */
  strings?: object | undefined;
}

/** A cookie configuration, as it asks in the visitor's region. */
export interface OfferConfiguration {
  identifier: string;
  name?: string | null | undefined;
  language?: string | undefined;
  settings?: Readonly<Record<string, unknown>> | undefined;
  /** Present if the configuration sets Consent Mode; its member `default` has more defaults. */
  googleConsentMode?: Readonly<Record<string, unknown>> | undefined;
}

/** A consent form or a contract form. */
export interface FormConfiguration {
  identifier: string;
  name?: string | null | undefined;
  title?: string | undefined;
  subTitle?: string | undefined;
  /** HTML, as `OfferStep.message`. */
  message?: string | undefined;
  language?: string | undefined;
  buttons?: readonly { text: string; color?: string | undefined; value?: unknown }[] | undefined;
  /** The purpose of a consent form, and further information that GDPR, article 13, requires. */
  purpose?: string | undefined;
  processors?: readonly FormProcessor[] | undefined;
  personalDataTypes?: readonly string[] | undefined;
  /** In months. */
  storageDuration?: number | undefined;
  automatedDecisions?: boolean | undefined;
  automatedDecisionsDetails?: string | undefined;
  automatedDecisionsContact?: string | undefined;
  consentWithdraw?: string | undefined;
  confirmations?: Readonly<Record<string, FormConfirmation>> | undefined;
  /** The address of a contract form's document. */
  file?: string | undefined;
  /** Whether a contract form must be accepted before its form is submitted. */
  idRequired?: boolean | undefined;
}

export interface FormProcessor {
  name?: string | undefined;
  role?: string | undefined;
  shortDescription?: string | undefined;
  website?: string | undefined;
}

/** The screen after an answer. */
export interface FormConfirmation {
  title?: string | undefined;
  message?: string | undefined;
  backButtonText?: string | undefined;
}

/** IAB's vendor list, as far as it is published, in the language of the configuration. */
export interface TcfList {
  texts: {
    purposes: Readonly<Record<string, TcfText>>;
    specialPurposes: Readonly<Record<string, TcfText>>;
    features: Readonly<Record<string, TcfText>>;
    specialFeatures: Readonly<Record<string, TcfText>>;
  };
  vendors: readonly TcfPartner[];
  /** Google's providers that do not take part in TCF. */
  providers: readonly { id: number; name: string }[];
  /** Ids of the purposes that any vendor asks consent for, and claims a legitimate interest in. */
  consents: ReadonlySet<number>;
  interests: ReadonlySet<number>;
}

/** IAB's wording, which must not be changed. */
export interface TcfText {
  id: number;
  name: string;
  description: string;
  illustrations?: readonly string[] | undefined;
}

export interface TcfPartner {
  id: number;
  name: string;
  purposes: readonly number[];
  legIntPurposes: readonly number[];
  specialPurposes: readonly number[];
  features: readonly number[];
  specialFeatures: readonly number[];
  urls?:
    | readonly {
        langId: string;
        privacy?: string | undefined;
        legIntClaim?: string | undefined;
      }[]
    | undefined;
}
