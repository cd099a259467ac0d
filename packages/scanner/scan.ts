import { randomBytes } from "node:crypto";
import type { BrowserContext, Page } from "playwright-core";
import type { Vendor } from "@avow/contract/configuration";
import { openBrowser } from "./browser/chromium.ts";
import { type Catalogue, openCatalogue } from "./catalogue/catalogue.ts";
import { assess } from "./findings/assess.ts";
import { ScanError } from "./network/errors.ts";
import { type Resolve, openProxy } from "./network/proxy.ts";
import {
  type Appearance,
  type LimitName,
  type Phase,
  type PhaseName,
  type ScanResult,
  type ScannedPage,
  limitsOfRecord,
  phaseNames,
} from "./record/result.ts";
import { answerAll } from "./visits/answers.ts";
import { readAppearance } from "./visits/appearance.ts";
import { toFingerprintScript } from "./visits/fingerprint.ts";
import { type Recorder, openRecorder } from "./visits/recorder.ts";
import { settle, visitPage } from "./visits/visit.ts";

export type { Resolve } from "./network/proxy.ts";

/** The state of a running scan. */
export interface ScanProgress {
  phase: PhaseName;
  /** Pages that were visited in this phase. */
  pages: number;
  pagesMax: number;
  url: string;
}

export interface ScanOptions {
  url: string;
  /** The program of Chromium, as `findChromium` returns it. */
  executablePath: string;
  hasSandbox: boolean;
  /** Resolves and checks each host before it is contacted. */
  resolve: Resolve;
  /** Accepts any certificate, for a site that is not public yet. */
  isInsecure?: boolean;
  pagesMax?: number;
  pageSeconds?: number;
  totalSeconds?: number;
  bytesMax?: number;
  memoryBytesMax?: number;
  /** Vendors that the site's configuration declares; undefined if it is not known. */
  declared?: readonly Vendor[] | undefined;
  /** Hosts that may run without consent, such as those of the consent tool. */
  allowedHosts?: readonly string[];
  signal?: AbortSignal;
  onProgress?: (progress: ScanProgress) => void;
}

const PAGES_DEFAULT = 10;
const PAGE_SECONDS = 20;
const TOTAL_SECONDS = 600;
const MIB = 1_024 * 1_024;
const BYTES_MAX = 300 * MIB;
const MEMORY_BYTES_MAX = 1_536 * MIB;
const ANSWER_MS = 4_000;
const MS = 1_000;
/** Requests of Avow's widget that record an answer or a display: a scan is no visitor. */
const recordingPattern = /\/v1\/app\/(?:consents|tickets)\//;

/** Everything that the phases of one scan share. */
interface Scanning {
  options: ScanOptions;
  catalogue: Catalogue;
  newContext: () => Promise<BrowserContext>;
  takeHosts: () => string[];
  /** Hosts whose address may not be contacted. */
  blockedHosts: () => string[];
  /** Aborted when a limit is exceeded or the caller aborts. */
  ending: AbortSignal;
  limits: Set<LimitName>;
  key: string;
}

/**
 * Visits a site with Chromium three times: without an answer, after refusal, and after acceptance, and reports what it
 * stored and contacted. A limit ends the scan early; the result then names it.
 * @throws ScanError if there is nothing to report: no browser, or the start page did not load
 */
export async function scanSite(options: ScanOptions): Promise<ScanResult> {
  const site = URL.parse(options.url);
  if (!site || !/^https?:$/.test(site.protocol))
    throw new ScanError("The address of a site starts with http:// or https://.");
  const startedAt = new Date();
  const limits = new Set<LimitName>();
  const ending = new AbortController();
  const end = (limit: LimitName) => (): void => {
    limits.add(limit);
    ending.abort();
  };
  const { signal } = options;
  signal?.throwIfAborted();
  const abort = (): void => ending.abort();
  signal?.addEventListener("abort", abort, { once: true });
  const timer = setTimeout(end("time"), (options.totalSeconds ?? TOTAL_SECONDS) * MS);
  try {
    const catalogue = await openCatalogue();
    await using proxy = await openProxy({
      resolve: options.resolve,
      bytesMax: options.bytesMax ?? BYTES_MAX,
      onExceeded: end("bytes"),
    });
    await using opened = await openBrowser({
      executablePath: options.executablePath,
      proxy,
      hasSandbox: options.hasSandbox,
      memoryBytesMax: options.memoryBytesMax ?? MEMORY_BYTES_MAX,
      onExceeded: end("memory"),
    });
    const { browser } = opened;
    const newContext = (): Promise<BrowserContext> =>
      browser.newContext({
        acceptDownloads: false,
        ignoreHTTPSErrors: options.isInsecure ?? false,
        locale: "en",
        userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${opened.version} Safari/537.36 AvowScan`,
      });
    const key = `k${randomBytes(12).toString("hex")}`;
    const { takeHosts, blockedHosts } = proxy;
    const shared = { options, catalogue, newContext, takeHosts, blockedHosts, limits, key };
    const { phases, appearance } = await scanPhases({ ...shared, ending: ending.signal }, site);
    signal?.throwIfAborted();
    return {
      url: site.href,
      startedAt: startedAt.toISOString(),
      endedAt: new Date().toISOString(),
      browser: `Chromium ${opened.version}`,
      limits: [...limits],
      bytes: proxy.bytes(),
      blockedHosts: proxy.blockedHosts().slice(0, 100),
      phases,
      ...assess(phases, {
        catalogue,
        siteHost: site.hostname,
        declared: options.declared,
        allowedHosts: options.allowedHosts ?? [],
      }),
      ...(appearance && { appearance }),
    };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

async function scanPhases(
  scanning: Scanning,
  site: URL,
): Promise<{ phases: Phase[]; appearance: Appearance | undefined }> {
  const phases: Phase[] = [];
  let appearance: Appearance | undefined;
  let urls: string[] = [];
  for (const name of phaseNames) {
    if (scanning.ending.aborted) break;
    const found = await scanPhase(scanning, { name, site, urls });
    // Without a consent tool in one phase there is none in the next.
    if (!found) break;
    phases.push(found.phase);
    if (name !== "unanswered") continue;
    ({ urls, appearance } = found);
    const [first] = found.phase.pages;
    if (first && scanning.limits.size === 0 && !scanning.ending.aborted)
      assertLoaded(first, scanning.blockedHosts());
  }
  return { phases, appearance };
}

const ERROR_STATUS_MIN = 400;

/** @throws ScanError if the start page failed */
function assertLoaded({ url, status, error }: ScannedPage, blockedHosts: readonly string[]): void {
  const host = URL.parse(url)?.hostname.replaceAll(/^\[|\]$/g, "") ?? "";
  if (blockedHosts.includes(host))
    throw new ScanError(`${url} does not load: the address of ${host} is private.`);
  if (status !== null && status < ERROR_STATUS_MIN) return;
  const reason = status === null ? (error ?? "no response") : `status ${status}`;
  throw new ScanError(`${url} does not load: ${reason}.`);
}

interface PhaseRequest {
  name: PhaseName;
  site: URL;
  /** Pages to visit; empty in the first phase, which finds them. */
  urls: readonly string[];
}

/** One phase in a fresh context; undefined if the site has no consent tool that can be answered. */
async function scanPhase(
  scanning: Scanning,
  { name, site, urls }: PhaseRequest,
): Promise<({ phase: Phase } & Omit<VisitedPages, "pages">) | undefined> {
  const { catalogue, ending, key } = scanning;
  let context: BrowserContext | undefined;
  // A browser that was killed rejects whatever is being waited for.
  const close = (): void => void context?.close().catch(() => undefined);
  ending.addEventListener("abort", close, { once: true });
  try {
    context = await scanning.newContext();
    await context.addInitScript(toFingerprintScript(key));
    await context.route(recordingPattern, (route) => route.abort());
    const { isKnownPath } = catalogue;
    const recorder = openRecorder(context, { siteHost: site.hostname, key, isKnownPath });
    const page = await context.newPage();
    // A popup would be a page without limits.
    context.on("page", (other) => void other.close().catch(() => undefined));
    scanning.takeHosts();
    const answeredBy =
      name === "unanswered" ? null : await answer(scanning, { page, site, recorder, name });
    if (answeredBy === undefined) return undefined;
    const visited = await visitAll(scanning, { page, recorder, name, site, urls });
    recorder.addHosts(scanning.takeHosts());
    if (recorder.isFull()) scanning.limits.add("requests");
    if (ending.aborted && visited.pages.length === 0) return undefined;
    return {
      phase: { name, answeredBy, pages: visited.pages, ...recorder.read() },
      urls: visited.urls,
      appearance: visited.appearance,
    };
  } catch (error) {
    if (ending.aborted) return undefined;
    throw error;
  } finally {
    ending.removeEventListener("abort", close);
    await context?.close().catch(() => undefined);
  }
}

/** Opens the start page and answers; undefined without a known consent tool. Forgets what ran before. */
async function answer(
  { options, takeHosts }: Scanning,
  { page, site, recorder, name }: { page: Page; site: URL; recorder: Recorder; name: PhaseName },
): Promise<string | undefined> {
  const timeoutMs = (options.pageSeconds ?? PAGE_SECONDS) * MS;
  await visitPage(page, site.href, { timeoutMs, origin: site.origin });
  const tool = await answerAll(page, { isAccepted: name === "accepted", timeoutMs: ANSWER_MS });
  if (tool === undefined) return undefined;
  recorder.restart();
  takeHosts();
  // Tags that run at once after the answer belong to this phase.
  await settle(page, (ms) => ms).catch(() => undefined);
  await recorder.readPage(page);
  return tool;
}

interface VisitedPages {
  pages: ScannedPage[];
  urls: string[];
  /** The start page before an answer. */
  appearance: Appearance | undefined;
}

async function visitAll(
  { options, ending, limits }: Scanning,
  {
    page,
    recorder,
    name,
    site,
    urls,
  }: { page: Page; recorder: Recorder; name: PhaseName; site: URL; urls: readonly string[] },
): Promise<VisitedPages> {
  const pagesMax = Math.min(options.pagesMax ?? PAGES_DEFAULT, limitsOfRecord.pages);
  const timeoutMs = (options.pageSeconds ?? PAGE_SECONDS) * MS;
  const isDiscovering = urls.length === 0;
  const waiting = isDiscovering ? [site.href] : [...urls];
  const known = new Set(waiting.map(toIdentity));
  const pages: ScannedPage[] = [];
  const visited: string[] = [];
  let { origin } = site;
  let appearance: Appearance | undefined;
  for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
    if (ending.aborted) break;
    if (pages.length >= pagesMax) {
      limits.add("pages");
      break;
    }
    options.onProgress?.({ phase: name, pages: pages.length, pagesMax, url });
    const found = await visitPage(page, url, { timeoutMs, origin });
    if (ending.aborted) break;
    await recorder.readPage(page);
    pages.push(found.page);
    visited.push(url);
    if (!isDiscovering) continue;
    if (pages.length === 1 && found.page.status !== null) appearance = await readAppearance(page);
    // The start page may redirect, as from example.com to www.example.com.
    if (pages.length === 1) origin = URL.parse(page.url())?.origin ?? origin;
    for (const link of found.links) {
      if (known.has(toIdentity(link))) continue;
      known.add(toIdentity(link));
      waiting.push(link);
    }
  }
  return { pages, urls: visited, appearance };
}

/** Pages that differ only by the query are mostly one page. */
function toIdentity(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/index\.html?$/, "/")}`;
}
