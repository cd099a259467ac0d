import { type VisitorAnswers, openVisitorAnswers } from "../core/answers.ts";
import { forgetOthers } from "../core/newer-answers.ts";
import { type FormAnswers, openFormAnswers } from "../core/form-answers.ts";
import { type Located, type RegionalCookies, applyRule } from "../core/rule.ts";
import { type Service, openService } from "../core/sending/service.ts";
import { type Cookies, type Site, chooseCookies, isVariant, loadSite } from "../core/site.ts";
import type { Transport } from "../core/sending/transport.ts";
import { chooseVariant } from "../core/variant.ts";
import type { ConsentOptions, ConsentSnapshot } from "./api.ts";
import { type ConsentStorage, createMemoryStorage, fetchTransport } from "./ports.ts";
import { loadKeptSite, loadOrKept } from "./published.ts";
import { type Stores, openStores, readVisitor } from "./stores.ts";

/** A visitor's situation: what is asked of them, and what they answered. */
export interface Situation {
  snapshot: ConsentSnapshot;
  site: Site;
  regional: RegionalCookies;
  stores: Stores;
  answers: VisitorAnswers;
  forms: FormAnswers;
  service: Service;
}

/** The ports of a consent, with their defaults. */
export interface Ports {
  storage: ConsentStorage;
  transport: Transport;
}

/** @throws Error when random numbers are missing, without which tokens and identifiers could be guessed */
export function toPorts({ storage, transport }: ConsentOptions): Ports {
  if (!hasRandomNumbers())
    throw new Error(
      "Avow: crypto.getRandomValues is missing. In React Native, install react-native-get-random-values and import it first in the app's entry file.",
    );
  return { storage: storage ?? createMemoryStorage(), transport: transport ?? fetchTransport };
}

/** Valid options: often they are from an environment or an account, where they may be missing. @throws TypeError */
export function toOptions(options: ConsentOptions): ConsentOptions {
  const { project, url, token } = options;
  if (!project || !url) throw new TypeError("Avow: a consent needs the options project and url.");
  return { ...options, url: url.replace(/\/+$/, ""), token: token || undefined };
}

const NO_COOKIES: Cookies = { identifier: "", steps: [] };

function hasRandomNumbers(): boolean {
  return typeof crypto === "object" && "getRandomValues" in crypto;
}

/** Loads the published file of the options, or the kept one while the service is unreachable. @throws Error without one */
export function loadPublished(options: ConsentOptions, ports: Ports): Promise<Site> {
  const { project, url, cdn = `${url}/cdn`, environment, offline = false } = options;
  const { storage, transport } = ports;
  const file = `${cdn}/${project}${environment === "staging" ? ".staging" : ""}.json`;
  return offline ? loadKeptSite(file, { project, transport, storage }) : loadSite(file, transport);
}

/** Reads all that a situation follows from. @throws Error when the project cannot be loaded */
export async function readSituation(
  options: ConsentOptions,
  ports: Ports,
  loaded?: Site,
): Promise<ConsentSnapshot> {
  const { languages = [], country } = options;
  const site = loaded ?? (await loadPublished(options, ports));
  const original =
    chooseCookies(site, options.cookies, {
      languageTags: languages,
      countryCode: country ?? toCountry(languages[0]),
      pagePath: toPath(options),
    }) ?? NO_COOKIES;
  if (options.cookies !== undefined && !original.identifier)
    throw new Error(`Avow: not published: ${options.cookies}.`);
  const stored = await readVisitor(ports.storage, site, original);
  const cookies = site.cookies?.some(isVariant)
    ? chooseVariant(site, original, openStores(ports.storage, { site, cookies: original, stored }))
    : original;
  const located = cookies.regions?.[0]
    ? await findRegion(options, ports)
    : { region: undefined, gpc: options.gpc === true };
  return { site, identifier: cookies.identifier, ...located, languages, country, stored };
}

/** Opens the situation of a snapshot, synchronously. */
export function openSituation(
  snapshot: ConsentSnapshot,
  options: ConsentOptions,
  { ports, encodeGpp }: { ports: Ports; encodeGpp: () => string | undefined },
): Situation {
  const { identifier, region, gpc, stored } = snapshot;
  const site = snapshot.site as Site;
  const found = site.cookies?.find((one) => one.identifier === identifier) ?? NO_COOKIES;
  const regional: RegionalCookies = found.regions?.[0]
    ? applyRule(found, { region, gpc })
    : { cookies: found, model: "opt-in", on: undefined, refused: [] };
  const { cookies, model, on } = regional;
  const stores = openStores(ports.storage, { site, cookies: found, stored });
  const service = openService(`${options.url}/v1`, site, {
    ...stores,
    transport: ports.transport,
    toPageUrl: () => toPage(options),
  });
  const toPreferences = (): object => ({ model, region, gppString: encodeGpp() });
  const answers = openVisitorAnswers({
    cookies,
    service,
    memory: stores,
    token: options.token,
    substances: site.widget?.substances?.[cookies.identifier],
    regional: found.regions?.[0] ? { on, toPreferences } : undefined,
  });
  // A device may be shared.
  if (options.token !== undefined) forgetOthers(answers, options.token);
  const forms = openFormAnswers(site, answers, stores);
  return { snapshot, site, regional, stores, answers, forms, service };
}

/** Adds the region to a snapshot that lacks it, if the configuration has rules by region. */
export async function locate(
  snapshot: ConsentSnapshot,
  options: ConsentOptions,
  ports: Ports,
): Promise<ConsentSnapshot> {
  const { site, identifier, region, gpc } = snapshot;
  const cookies = (site as Site).cookies?.find((one) => one.identifier === identifier);
  if (region !== undefined || !cookies?.regions?.[0]) return snapshot;
  return { ...snapshot, ...(await findRegion({ ...options, gpc }, ports)) };
}

/** The region that the options name, otherwise that of the service; undefined if unknown. */
async function findRegion(
  { project, url, region, gpc = false, offline = false }: ConsentOptions,
  { storage, transport }: Ports,
): Promise<Located> {
  try {
    const named = typeof region === "function" ? await region() : region;
    if (named) return { region: named.toUpperCase(), gpc };
    if (named === null) return { region: undefined, gpc };
    const load = async (): Promise<FoundRegion> => {
      const answer = await transport(`${url}/v1/client/region`);
      if (!answer.ok) throw new Error(`Avow: no region: ${answer.status}.`);
      return (await answer.json()) as FoundRegion;
    };
    const kept = { storage, key: `avow_region_${project}`, check: toFoundRegion };
    const found = await (offline ? loadOrKept(load, kept) : load());
    return { region: found.region ?? undefined, gpc: gpc || found.gpc === true };
  } catch {
    // Unknown: the strictest rule applies.
    return { region: undefined, gpc };
  }
}

interface FoundRegion {
  region?: string | null;
  gpc?: boolean;
}

function toFoundRegion(value: unknown): FoundRegion | undefined {
  const { region } = (value ?? {}) as FoundRegion;
  return typeof region === "string" ? { region } : undefined;
}

function toPage({ page }: ConsentOptions): string | undefined {
  return typeof page === "function" ? page() : page;
}

/** The path of an http address. */
function toPath(options: ConsentOptions): string {
  return /^https?:\/\/[^/?#]+([^?#]*)/.exec(toPage(options) ?? "")?.[1] || "/";
}

/** The country of a language tag such as `fr-CA`. */
function toCountry(tag = ""): string | undefined {
  return /-(\w\w)\b/.exec(tag)?.[1];
}
