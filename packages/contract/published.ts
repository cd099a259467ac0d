import type {
  Bodies,
  Contract,
  ContractText,
  Cookies,
  Officer,
  Processing,
  Project,
  Step,
  Vendor,
} from "./configuration.ts";
import { type Collection, collections } from "./collections.ts";
import type { JsonObject } from "./json.ts";
import type { TcfContent } from "./tcf/tcf.ts";

/** A picture in one size. */
export interface PublishedRender {
  url: string;
  width: number;
  height: number;
  type: string;
}

/** The fields that a published file adds to a configuration of the vault. */
export type Identified = {
  identifier: string;
  projectId: string;
  /** The fields that the configuration lacks: their values only identify it and are not shown. */
  assumed?: readonly AssumedField[];
};
export type AssumedField = "title" | "language";

export type PublishedStep = Omit<Step, "vendors"> & { vendors?: Vendor[] };
export type PublishedCookies = Omit<Cookies, "steps"> & Identified & { steps?: PublishedStep[] };
export type PublishedProcessing = Processing & Identified;
export type PublishedContract = Contract & Identified;
export type PublishedContractText = ContractText & Identified;

/** The lists of a published file, by their vault resource. */
export const lists = {
  cookies: "cookies",
  processings: "processings",
  contracts: "contracts",
  contractsV2: "content",
} as const satisfies Record<string, keyof Bodies>;
export type ListName = keyof typeof lists;
export const listNames = Object.keys(lists) as ListName[];

export interface PublishedLists {
  cookies: PublishedCookies[];
  processings: PublishedProcessing[];
  contracts: PublishedContract[];
  contractsV2: PublishedContractText[];
}
export type Configuration = PublishedLists[ListName][number];

/** The steps of a banner; none for other configurations. */
export function stepsOf(configuration: Configuration): readonly PublishedStep[] {
  return "steps" in configuration ? (configuration.steps ?? []) : [];
}

/** The fields of a configuration of any list, for readers of all of them. */
export type AnyConfiguration = Partial<PublishedCookies & PublishedProcessing & PublishedContract>;

/** The language of a configuration, unless it has none of its own. */
export function languageOf({
  language,
  assumed,
}: Pick<AnyConfiguration, "language" | "assumed">): string | undefined {
  return assumed?.includes("language") ? undefined : language;
}

/** The title of a configuration that visitors see, unless it has none of its own. */
export function shownTitleOf({
  title,
  assumed,
}: Pick<AnyConfiguration, "title" | "assumed">): string | undefined {
  return assumed?.includes("title") ? undefined : title;
}

/** The configurations that collect consents. */
export function listAsking(
  content: Content,
): { collection: Collection; configuration: AnyConfiguration & Identified }[] {
  return collections.flatMap((collection) =>
    (content[collection] as (AnyConfiguration & Identified)[]).map((configuration) => ({
      collection,
      configuration,
    })),
  );
}

/** Vendors by slug, in the order of the steps; the first vendor of a slug counts. */
export function vendorsOf({ steps = [] }: AnyConfiguration): Map<string, Vendor> {
  const found = new Map<string, Vendor>();
  for (const vendor of steps.flatMap(({ vendors }) => vendors ?? []))
    if (!found.has(vendor.name)) found.set(vendor.name, vendor);
  return found;
}

/** A project's design and its data protection officer. */
export interface PublishedClient {
  colors: JsonObject;
  fonts: JsonObject;
  widgetStyle: NonNullable<Project["widgetStyle"]>;
  overlayStyle: JsonObject;
  DPO: Officer;
}

/** A published file without its own hash (wire section 3). */
export interface Content extends PublishedLists {
  publishedAt: string;
  projectId: string;
  projectName: string;
  jobId: string;
  version: number;
  shadowRoot: true;
  client: PublishedClient;
  privacypolicy: unknown;
  dpo: Officer;
  portability: unknown[];
  /** Absent from files published before there was a widget. */
  widget?: WidgetContent;
}

/** The widget's data, published with the configurations so that proofs cover it. */
export interface WidgetContent {
  /** SHA-256 of the `widget.js` that the service served at the time. */
  hash: string;
  /** The widget's own texts, by language of the configurations. */
  words: Record<string, Record<string, string>>;
  /** Custom properties of its style sheet; those named `light-…` apply to light backgrounds only. */
  theme: Record<string, string>;
  /**
   * By configuration, the digests of each vendor's offer ('' for a form), followed by those of earlier versions that
   * asked for as much or more. An answer with none of these digests needs re-consent.
   */
  substances: Record<string, Record<string, string>>;
  /** Whether held frames get placeholders. */
  embeds?: boolean;
  /** Present if a step has the layout `iab`. */
  tcf?: TcfContent;
}

/**
 * Addresses of a project's vendors, the most specific first: a host such as `*.example.com`, with the prefix of a path if
 * any, and the vendors that all must be allowed to run; none for an address that is never held.
 */
export type HostList = readonly (readonly [pattern: string, ...vendors: string[]])[];

/** Up to this number, the preference center shows all vendors; the lists of more are closed, and can be searched. */
export const VENDORS_SHOWN_MAX = 10;

/** The service's canonical JSON of a published file. */
export function parseContent(text: string): Content {
  return JSON.parse(text) as Content;
}
