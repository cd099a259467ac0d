import type { Transport } from "../core/sending/transport.ts";
import type {
  FormConfiguration,
  FormName,
  OfferConfiguration,
  OfferStep,
  OfferVendor,
  TcfList,
  VendorName,
} from "./content.ts";
import type { ConsentStorage } from "./ports.ts";

/** Options of `createConsent`. */
export interface ConsentOptions {
  /** The identifier of the project. */
  project: string;
  /** Base address of the service, such as `https://consent.example`. */
  url: string;
  /** Base address of published files; `/cdn` of the service by default. */
  cdn?: string | undefined;
  /** `staging` reads the version that is published to staging. */
  environment?: "production" | "staging" | undefined;
  /** Default: memory, which ends with the process. */
  storage?: ConsentStorage | undefined;
  /** Default: the global `fetch`. */
  transport?: Transport | undefined;
  /** Storage of the app's keys that other SDKs read (IAB TCF and GPP). */
  appKeys?: AppKeys | undefined;
  /**
   * Whether the published file and the region are kept in the storage, so that an app that starts without a network knows
   * the answers and can ask.
   */
  offline?: boolean | undefined;
  /** The visitor's token, if the site or app knows the visitor: their answers on other devices then count here. */
  token?: string | undefined;
  /** The name or the identifier of one cookie configuration. */
  cookies?: string | undefined;
  /** The visitor's languages (BCP 47), the preferred one first. */
  languages?: readonly string[] | undefined;
  /** ISO 3166-1 alpha-2. */
  country?: string | undefined;
  /**
   * The region, such as `FR` or `US-CA`, or a function that finds it; null: unknown, so that the strictest rule applies. By
   * default the service finds it.
   */
  region?: string | null | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** Whether the visitor sends Global Privacy Control. */
  gpc?: boolean | undefined;
  /** The address of the page or screen without its query, or a function that returns it. */
  page?: string | (() => string | undefined) | undefined;
  /** Whether the banner waits for `show`. */
  manual?: boolean | undefined;
  /** Whether another interface, such as the widget, asks by IAB's TCF: then that banner waits for `show`. */
  withoutTcf?: boolean | undefined;
  /** The situation that a server has read (`readConsent`): it is used at once, without a request. */
  snapshot?: ConsentSnapshot | undefined;
  /**
   * Whether it waits for `start`, for servers and frameworks that render before they run: until then nothing is requested,
   * and the state follows from the snapshot.
   */
  deferred?: boolean | undefined;
}

/** The part of the interface that a visitor sees. */
export type ConsentView = "closed" | "banner" | "preferences";

/** An answer: to all vendors that are asked, or to each by its name. */
export type ConsentAnswer = boolean | Readonly<Partial<Record<VendorName, boolean>>>;

/** The state of a visitor. Each change creates another object. */
export interface ConsentState {
  /** `failed`: the project cannot be loaded; nothing may run. */
  status: "loading" | "ready" | "failed";
  /** Why loading failed, or an answer could be neither sent nor kept. */
  error: Error | undefined;
  view: ConsentView;
  /** The visitor's token; undefined while loading. */
  token: string | undefined;
  /** Whether each vendor may run. */
  vendors: Readonly<Partial<Record<VendorName, boolean>>>;
  /** Whether the visitor has answered, or has seen a banner that only informs. */
  isAnswered: boolean;
  /** Vendors that need an answer. */
  pending: readonly VendorName[];
  /** How the visitor's region asks: vendors run after consent, until an opt-out, or the banner only informs. */
  model: "opt-in" | "opt-out" | "notice" | "none";
  /** The visitor's region, if it was looked up and is known. */
  region: string | undefined;
  /** The signals of Google's Consent Mode v2. */
  signals: Readonly<Record<string, "granted" | "denied">>;
  /** The valid answers to forms, by their identifier. */
  forms: Readonly<Record<string, FormAnswer>>;
  /** The content of the view; while it is closed, that of the preference center. Undefined while loading. */
  offer: ConsentOffer | undefined;
  /** The project's design. */
  appearance: ConsentAppearance;
  /** IAB's TC string, and its GPP string if the configuration has it. */
  tcString: string | undefined;
  gppString: string | undefined;
}

/** A project's design, for interfaces that follow it. */
export interface ConsentAppearance {
  /**
   * Values of CSS by name: colours `main`, `on` (text on `main`), `light-bg` and `light-ink` (light scheme only) and `head`,
   * `scheme` (`light` or `dark`), the fonts `title` and `text`, the radius `r`, the padding `p` and the backdrop `ground`.
   */
  theme: Readonly<Record<string, string>>;
  /** Such as `bottom-left`, or `center`. */
  position: string;
  /** Whether the banner blocks the page. */
  isModal: boolean;
}

/** A valid answer to a form. */
export interface FormAnswer {
  accept: boolean;
  /** RFC 3339. */
  date: string;
  isWithdrawn: boolean;
}

/** The published content of a banner or a preference center. */
export interface ConsentOffer {
  configuration: OfferConfiguration;
  /** BCP 47. */
  language: string;
  direction: "ltr" | "rtl";
  /** The steps with a vendor to ask for. */
  steps: readonly OfferStep[];
  /** The steps of the preference center: those after a first step that only introduces them. */
  categories: readonly OfferStep[];
  /** Whether this view has the switches of `categories`; a first layer has only the text of its first step otherwise. */
  hasSwitches: boolean;
  /** All vendors of the configuration. */
  vendors: readonly OfferVendor[];
  /** A text above the message: a confirmation of an opt-out. */
  note: string | undefined;
  /** The buttons in their order. Those that accept and refuse must look alike. */
  buttons: readonly OfferButton[];
  /** Whether the visitor is asked for a vendor; the others are always on. */
  isAsked: (vendor: string) => boolean;
  /** A text by its name, of a step if it has its own. */
  say: (name: string, step?: Pick<OfferStep, "strings">) => string;
}

/** A button of an offer. */
export interface OfferButton {
  /** Such as `acceptAll`; also the name of its text. */
  name: string;
  text: string;
  /** `save` saves the switches of the preference center. */
  act: "answer" | "save" | "choose" | "close";
  /** The answer of `act` answer. */
  answer: ConsentAnswer | undefined;
}

/** The consent of one visitor, without any interface. */
export interface Consent {
  /** Resolves when earlier answers are known; rejects if the project cannot be loaded. */
  readonly ready: Promise<void>;
  /** The options that it was created with. */
  readonly options: ConsentOptions;
  /** Begins, if the consent was created with `deferred`. Later calls do nothing. */
  start: () => void;
  /** The present state: the same object until something changes. */
  getState: () => ConsentState;
  /** Calls `listener` after each change; returns a function that removes it. */
  subscribe: (listener: () => void) => () => void;
  /** Whether a vendor may run. */
  isAccepted: (vendor: VendorName) => boolean;
  /** Opens a view, and requests the display ticket that proves it. */
  show: (view?: "banner" | "preferences") => Promise<void>;
  /** Closes the view without an answer. */
  close: () => void;
  /**
   * Stores an answer on the device and sends it. Resolves with the service's record, or with `kept` if it is sent later.
   * The same answer given twice at once is one.
   * @throws Error when it can be neither sent nor kept, or the service rejects it: an acceptance is then undone
   * @throws TypeError for an unknown vendor
   */
  answer: (answer: ConsentAnswer, tcf?: TcfChoices) => Promise<SentAnswer>;
  /** The published form of a name or identifier, in the visitor's language. @throws Error when none is published */
  getForm: (form: FormName) => ConsentForm;
  /** Requests the display ticket of a form that is visible. Its answer uses it. */
  showForm: (form: FormName) => void;
  /** As `answer`, for a consent form or a contract form. `value`: that of the pressed button, if it has one. */
  answerForm: (form: FormName, accept: boolean, value?: unknown) => Promise<SentAnswer>;
  /**
   * Replaces the visitor's token after a sign-in, and adopts newer answers of it. Undefined after a sign-out. The answers of
   * another known person leave the device; those from before a sign-in stay.
   */
  identify: (token: string | undefined) => Promise<void>;
  /** Reads the answers on the device again: another page of the site may have changed them. */
  refresh: () => Promise<void>;
  /** Sends unsent answers, for example when the network is back. */
  flush: () => Promise<void>;
  /** The choices of IAB's TCF, if the configuration asks by it. */
  tcf: () => TcfChoices | undefined;
  /** For pages rendered by a server: all that the browser needs to begin with the same state. */
  toSnapshot: () => ConsentSnapshot;
}

/** A published consent form or contract form. */
export interface ConsentForm {
  collection: "processings" | "contracts";
  configuration: FormConfiguration;
  language: string;
  direction: "ltr" | "rtl";
  /** The title to show; undefined for one that the editor has not written. */
  title: string | undefined;
  /** The answers in their order. Buttons that accept and refuse must look alike. */
  choices: readonly FormChoice[];
  say: (name: string) => string;
}

/** A button of a form, with its published value. */
export interface FormChoice {
  text: string;
  accept: boolean;
  value?: unknown;
}

/** The service's record of an answer, or `kept`: it is on the device and sent later, once. */
export type SentAnswer = "kept" | { consent: ConsentRecord };

/** A consent record (interface specification, consents). */
export interface ConsentRecord {
  consentId?: string | undefined;
  accept?: boolean | undefined;
  /** RFC 3339. */
  timestamp?: string | undefined;
  /** How well the record is proven: `ticketed` with a display ticket. */
  grade?: string | undefined;
}

/** The choices of IAB's TCF 2.3, for an interface of the app's own. */
export interface TcfChoices {
  list: TcfList;
  /** The choices to show and change: those of the stored TC string; nothing is preselected. */
  draft: TcfDraft;
}

/** Unsaved choices, by ids. */
export interface TcfDraft {
  purposes: Set<number>;
  specialFeatures: Set<number>;
  vendors: Set<number>;
  /** Google's providers. */
  providers: Set<number>;
  /** Legitimate interests that the visitor objects to. */
  objectedPurposes: Set<number>;
  objectedVendors: Set<number>;
}

/**
 * Storage of an app that other SDKs read, such as NSUserDefaults and SharedPreferences. The keys are those of IAB's
 * "In-app details" (TCF CMP API 2.2 and GPP CMP API 1.1).
 */
export interface AppKeys {
  /** Stores numbers and texts; removes keys whose value is undefined. */
  set(values: Readonly<Record<string, number | string | undefined>>): unknown;
}

/** All that a visitor's state follows from, as JSON: a server reads it, and the browser begins with it. */
export interface ConsentSnapshot {
  /** The published file. */
  site: { projectId: string };
  /** The identifier of the chosen cookie configuration; '' for none. */
  identifier: string;
  /** Undefined if unknown. */
  region?: string | undefined;
  gpc: boolean;
  languages: readonly string[];
  country?: string | undefined;
  stored: StoredVisitor;
}

/** The texts of a visitor on the device. */
export interface StoredVisitor {
  /** The answers to vendors: the members of the widget's cookie, percent-encoded. */
  answers: readonly string[];
  /** The answers to forms, as JSON. */
  forms?: string | undefined;
}
