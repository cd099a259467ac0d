import type { Surroundings } from "./selector.ts";
import type { Transport } from "./sending/transport.ts";
import type { Vendor } from "@avow/contract/configuration";
import type {
  AnyConfiguration,
  Content,
  Identified,
  PublishedClient,
  PublishedCookies,
  PublishedStep,
  WidgetContent,
} from "@avow/contract/published";

export type { Vendor } from "@avow/contract/configuration";
export type Cookies = Omit<PublishedCookies, "projectId">;
export type Step = PublishedStep;
/** The configuration of a consent box or of a contract box. */
export type Box = AnyConfiguration & Identified;

/** How a configuration asks in the visitor's region. */
export interface RegionModel {
  /** Vendors that run before an answer; undefined in the model opt-in. */
  on: ReadonlySet<string> | undefined;
  /** How the visitor was asked, for the record of an answer. */
  toPreferences(): object;
}

/** A published file (wire section 3): all members except the project are optional. */
export interface Site extends Pick<Content, "projectId"> {
  version?: number;
  client?: Partial<PublishedClient>;
  cookies?: Cookies[];
  processings?: Box[];
  contracts?: Box[];
  widget?: Partial<WidgetContent>;
}

/** Loads the published file at `url`. @throws Error when it is not available */
export async function loadSite(url: string, request: Transport): Promise<Site> {
  const answer = await request(url);
  if (!answer.ok) throw new Error(`Avow: not published: ${url} (${answer.status}).`);
  return (await answer.json()) as Site;
}

/**
 * The cookie configuration for a visitor: the one that the page names. Otherwise, among those for this page if there are
 * any (`settings.pages`: paths, which may end in *), the best by language (the page's before the browser's), then by
 * country; otherwise the default one.
 */
export function chooseCookies(
  { cookies = [] }: Site,
  wanted: string | undefined,
  visitor: Surroundings,
): Cookies | undefined {
  if (wanted !== undefined)
    return cookies.find(({ name, identifier }) => name === wanted || identifier === wanted);
  const originals = cookies.filter((one) => !isVariant(one));
  const own = originals.filter((one) => pagesOf(one).some((page) => isPage(page, visitor)));
  return chooseSpoken(own.length ? own : originals.filter((one) => !pagesOf(one).length), visitor);
}

/** Whether a configuration is a variant of another in an A/B test. */
export function isVariant({ settings }: Cookies): unknown {
  return settings?.variantOf;
}

/** The best translation for a visitor. */
export function chooseSpoken<
  T extends { language?: string; country?: string; isDefault?: boolean },
>(all: readonly T[], { languageTags, countryCode }: Surroundings): T | undefined {
  const tags = languageTags.filter(Boolean);
  const rank = (one: T): number => {
    const at = tags.findIndex((tag) => isAlike(toBase(one.language), toBase(tag)));
    return (
      (at < 0 ? 0 : (tags.length - at) * 8) +
      (isAlike(one.language, tags[at]) ? 4 : 0) +
      (isAlike(one.country, countryCode) ? 2 : 0) +
      (one.isDefault ? 1 : 0)
    );
  };
  return all.toSorted((a, b) => rank(b) - rank(a))[0];
}

/** The vendors of a configuration by slug; the first one of a duplicate slug. */
export function listVendors({ steps = [] }: Cookies): Map<string, Vendor> {
  const vendors = new Map<string, Vendor>();
  for (const vendor of steps.flatMap((step) => step.vendors ?? []))
    if (!vendors.has(vendor.name)) vendors.set(vendor.name, vendor);
  return vendors;
}

/** The vendors that can be refused. */
export function listRefusable(cookies: Cookies): Vendor[] {
  return [...listVendors(cookies).values()].filter(({ required }) => !required);
}

function pagesOf({ settings }: Cookies): unknown[] {
  const pages = settings?.pages;
  return Array.isArray(pages) ? pages : [];
}

/** Matches a path, or a prefix that ends in *. */
function isPage(pattern: unknown, { pagePath }: Surroundings): boolean {
  const text = String(pattern);
  return text.endsWith("*") ? pagePath.startsWith(text.slice(0, -1)) : pagePath === text;
}

function toBase(tag: string | undefined): string | undefined {
  return tag?.split("-")[0];
}

function isAlike(a: string | undefined, b: string | undefined): boolean {
  return a?.toLowerCase() === (b ?? "").toLowerCase();
}
