import type { FastifyBaseLogger } from "fastify";
import type { TSchema } from "typebox";
import { TcfTexts, TcfVendorList } from "@avow/contract/tcf";
import type { Jobs } from "../../../kernel/jobs.ts";
import { readBody } from "../../../platform/outbound/read-body.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { LIST_BYTES_MAX, type ListApp, assertShape } from "./lists.ts";
import { findNewest, insertList, upsertTranslation } from "./lists-store.ts";

const QUEUE = "tcf-vendor-list";
/** IAB publishes a new list on Thursdays. */
const WEEKLY = "41 5 * * 5";
const TIMEOUT_MS = 30_000;
/** Timeout of all requests, less than the lease of the job. */
const TOTAL_MS = 300_000;
/** A list that was checked less than this ago is not fetched again, when several nodes start. */
const FRESH_MS = 86_400_000;
/** IAB's translations (`purposes-fr.json`) for the official languages of the EEA and those of the widget. */
const languages =
  "ar bg cs da de el es et fi fr hr hu it ja lt lv mt nl no pl pt-br pt-pt ro ru sk sl sv tr uk zh";

/** The dependencies of fetching the vendor list. */
export interface RefreshApp extends ListApp {
  jobs: Jobs;
  now: () => Date;
  log: Pick<FastifyBaseLogger, "info" | "warn">;
}

/** Fetches the vendor list weekly, and at the start if none is stored; nothing without `TCF_VENDOR_LIST_URL`. */
export async function startListRefresh(app: RefreshApp): Promise<void> {
  if (app.config.tcfVendorListUrl === undefined) return;
  const queue = { name: QUEUE, concurrency: 1, retriesMax: 5, timeoutSeconds: 600 };
  await app.jobs.workQueue(queue, () => refreshVendorList(app));
  const send = (): Promise<void> =>
    inTransaction(app.db, (tx) => app.jobs.sendJob(tx, { queue: QUEUE, data: {} }));
  await app.jobs.scheduleJob(`${QUEUE}-weekly`, WEEKLY, send);
  if (!(await findNewest(app.db))) await send();
}

/**
 * Fetches the vendor list and its translations, and stores them. Earlier versions stay as an archive.
 * @throws Error if the list cannot be fetched, is invalid, or is older than the newest one
 */
export async function refreshVendorList(app: Omit<RefreshApp, "jobs">): Promise<void> {
  const { tcfVendorListUrl: url } = app.config;
  if (url === undefined) return;
  const at = app.now();
  const newest = await findNewest(app.db);
  if (newest && at.getTime() - newest.checked_at.getTime() < FRESH_MS) return;
  const signal = AbortSignal.timeout(TOTAL_MS);
  let text: string | undefined;
  try {
    text = await fetchText(url, TcfVendorList, signal);
    if (text === undefined) throw new Error("not found");
  } catch (error) {
    app.log.warn({ err: error }, "vendor list not fetched");
    throw error;
  }
  const { vendorListVersion: version } = JSON.parse(text) as TcfVendorList;
  if (newest && version < newest.version) {
    app.log.warn({ version, newest: newest.version }, "older vendor list rejected");
    throw new Error(`Vendor list ${version} is older than ${newest.version}.`);
  }
  const translations = await fetchTranslations(app, url, signal);
  await inTransaction(app.db, async (tx) => {
    await insertList(tx, { version, list: text, at });
    for (const one of translations) await upsertTranslation(tx, { ...one, at });
  });
  app.log.info({ version, translations: translations.length }, "vendor list stored");
}

/** The translations beside the list. One that is missing or invalid is left out, and its earlier version stays. */
async function fetchTranslations(
  { log }: Pick<RefreshApp, "log">,
  url: string,
  signal: AbortSignal,
): Promise<{ language: string; texts: string }[]> {
  const found: { language: string; texts: string }[] = [];
  // One after the other: nobody waits.
  for (const language of languages.split(" ")) {
    try {
      const address = new URL(`purposes-${language}.json`, url).href;
      const texts = await fetchText(address, TcfTexts, signal);
      if (texts !== undefined) found.push({ language, texts });
    } catch (error) {
      log.warn({ err: error, language }, "translation of the vendor list not fetched");
    }
  }
  return found;
}

/**
 * The JSON text at an address; undefined if there is none.
 * @throws Error if the request fails, or the content is too long or invalid
 */
async function fetchText(
  url: string,
  schema: TSchema,
  signal: AbortSignal,
): Promise<string | undefined> {
  const response = await fetch(url, {
    headers: { accept: "application/json" },
    // A redirect fails: the operator did not configure its target.
    redirect: "error",
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  const text = (await readBody(response, LIST_BYTES_MAX)).toString("utf8");
  // Object storage answers 403 for a missing file.
  if (response.status === 404 || response.status === 403) return undefined;
  if (response.status !== 200) throw new Error(`responded with status ${response.status}`);
  assertShape("The response", schema, JSON.parse(text));
  return text;
}
