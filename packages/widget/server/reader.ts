import type { ConsentSnapshot, ConsentState } from "../headless/api.ts";
import type { VendorName } from "../headless/content.ts";
import type { ConsentStorage } from "../headless/ports.ts";
import { fetchTransport } from "../headless/ports.ts";
import { openSituation, readSituation } from "../headless/situation.ts";
import { reduceSite } from "../headless/published.ts";
import { isBannerKnown, toState } from "../headless/state.ts";
import { type Site, loadSite } from "../core/site.ts";
import type { Transport } from "../core/sending/transport.ts";
import {
  type RequestLike,
  findHeader,
  listCookies,
  listLanguages,
  toRequestPath,
} from "./request.ts";

export type { RequestLike } from "./request.ts";

/** Options of `createConsentReader`. */
export interface ConsentReaderOptions {
  /** The identifier of the project. */
  project: string;
  /** Base address of the service, such as `https://consent.example`. */
  url: string;
  /** Base address of published files; `/cdn` of the service by default. */
  cdn?: string | undefined;
  environment?: "production" | "staging" | undefined;
  /** The name or the identifier of one cookie configuration. */
  cookies?: string | undefined;
  /** The visitor's language, if the site knows it: before those of the browser. */
  language?: ((request: RequestLike) => string | undefined) | undefined;
  /**
   * The visitor's region, such as `FR` or `US-CA`, from a header that a proxy of yours sets: visitors could send it themselves.
   * By default, and for any other text, it is unknown: the strictest rule applies until the browser knows better.
   */
  region?: ((request: RequestLike) => string | undefined) | undefined;
  /** The visitor's token, if the site knows the visitor. */
  token?: ((request: RequestLike) => string | undefined) | undefined;
  /** Default: the global `fetch`. */
  transport?: Transport | undefined;
  /** How long a published file is used before it is read again, in seconds (60). An older one is used if that fails. */
  maxAgeSeconds?: number | undefined;
}

/** The consent of a request. */
export interface ReadConsent {
  /** The state as the browser begins with it. */
  state: ConsentState;
  /** Whether a vendor may run. */
  isAccepted: (vendor: VendorName) => boolean;
  /** For the page: `createConsent({ snapshot })` begins with the same state. Write it with `toScriptJson`. */
  snapshot: ConsentSnapshot;
}

/** Reads the consent of a request. @throws Error when the project was never loaded, and cannot be now */
export type ConsentReader = (request: RequestLike) => Promise<ReadConsent>;

const MAX_AGE_SECONDS = 60;
/** A read of a newer published file takes longer: then the older one is used. */
const STALE_AFTER_MS = 1_000;
/** Longer than the timeout of a request. */
const READ_MS_MAX = 20_000;

/**
 * Creates a reader of consents, for Node, Hono, Fastify, Express and edge runtimes. It parses the consent cookie and
 * validates it against the published file: an answer to a vendor that is no longer published, has materially changed since
 * or has expired does not count. The cookie is the visitor's own and not signed: it decides what runs for that visitor, and
 * proves nothing; the service's records do. A response that depends on it must not be cached for others (`Cache-Control:
 * private`, and `Vary: Cookie, Accept-Language, Sec-GPC`).
 * @throws Error without a project or an address
 */
export function createConsentReader(options: ConsentReaderOptions): ConsentReader {
  const { project, cdn, environment, cookies, transport = fetchTransport } = options;
  // Often from the environment, where they may be missing.
  if (!project || !options.url)
    throw new Error("Avow: createConsentReader needs the options project and url.");
  const url = options.url.replace(/\/+$/, "");
  const getSite = openSiteCache({ ...options, url }, transport);
  return async (request) => {
    const site = await getSite();
    const language = options.language?.(request);
    const consentOptions = {
      project,
      url,
      cdn,
      environment,
      cookies,
      transport,
      storage: toRequestStorage(request),
      languages: [...(language === undefined ? [] : [language]), ...listLanguages(request)],
      region: toRegion(options.region?.(request)),
      gpc: findHeader(request, "sec-gpc") === "1",
      token: options.token?.(request) || undefined,
      page: `https://localhost${toRequestPath(request)}`,
    };
    const ports = { storage: consentOptions.storage, transport };
    const snapshot = await readSituation(consentOptions, ports, site);
    const situation = openSituation(snapshot, consentOptions, {
      ports,
      encodeGpp: () => undefined,
    });
    const isDue = isBannerKnown({ situation, strings: undefined }, consentOptions);
    const view = isDue ? "banner" : "closed";
    return {
      state: toState({ situation, strings: undefined, view, error: undefined }),
      isAccepted: (vendor) => situation.answers.isAccepted(vendor),
      snapshot: {
        ...snapshot,
        site: reduceSite(site, snapshot.identifier),
        stored: situation.stores.toTexts(),
      },
    };
  };
}

/** The cookies of a request. Nothing is written: the browser stores answers. */
function toRequestStorage(request: RequestLike): ConsentStorage {
  return { read: (name) => listCookies(request, name), write: () => undefined };
}

/** Keeps the published file in memory. Concurrent requests share one read. */
function openSiteCache(
  { project, url, cdn = `${url}/cdn`, environment, maxAgeSeconds }: ConsentReaderOptions,
  transport: Transport,
): () => Promise<Site> {
  const maxAgeMs = (maxAgeSeconds ?? MAX_AGE_SECONDS) * 1000;
  const file = project + (environment === "staging" ? ".staging" : "");
  let held: { site: Site; readAt: number } | undefined;
  let reading: { site: Promise<Site>; since: number } | undefined;
  const read = async (): Promise<Site> => {
    try {
      const site = await loadSite(`${cdn}/${file}.json`, transport);
      held = { site, readAt: Date.now() };
      return site;
    } catch (error) {
      if (!held) throw error;
      // Not read again with each request while the service is away.
      held = { ...held, readAt: Date.now() };
      return held.site;
    } finally {
      reading = undefined;
    }
  };
  return async () => {
    const now = Date.now();
    if (held && now - held.readAt < maxAgeMs) return held.site;
    // An edge runtime ends a read with the request that began it, and then it never settles.
    if (!reading || now - reading.since > READ_MS_MAX) reading = { site: read(), since: now };
    return held ? settleIn(STALE_AFTER_MS, reading.site, held.site) : reading.site;
  };
}

/** The value of a promise, or another one if it takes longer. */
async function settleIn<T>(ms: number, promise: Promise<T>, otherwise: T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A region such as `FR` or `US-CA`; null for the codes of CDNs for unknown places (Cloudflare: XX, T1) and other texts. */
function toRegion(text: string | undefined): string | null {
  const region = text?.toUpperCase() ?? "";
  return /^(?!XX|ZZ|EU|AP)[A-Z]{2}(-[A-Z0-9]{1,3})?$/.test(region) ? region : null;
}
