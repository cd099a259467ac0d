import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { ScanError } from "@avow/scanner/errors";
import type { ScanResult } from "@avow/scanner/result";
import { paths } from "@avow/contract/urls";
import { type Ctx, toCtx } from "../../kernel/ctx.ts";
import { recordEvent } from "../../kernel/events/events.ts";
import { listUsersById } from "../../kernel/users-store.ts";
import type { Tx } from "../../platform/db/db.ts";
import { Fault } from "../../platform/errors.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { type MailLanguage, toMailLanguage } from "../../platform/mail/languages.ts";
import { getProject } from "../vault/documents/access.ts";
import { type News, listNews } from "./news.ts";
import type { LivePublication, ScansApp } from "./ports.ts";
import {
  type Progress,
  type ScanRow,
  findPreviousResult,
  findScanById,
  updateScan,
} from "./store.ts";

export const scanner = { kind: "system", name: "scans" } as const;

/** Timeout of a scan; the job's own is longer. */
export const SCAN_SECONDS = 600;
const PROGRESS_MS = 1_000;
const RESULT_BYTES_MAX = 2 * 1_024 * 1_024;
/** Requests of each phase that a result keeps which would otherwise be too large. */
const REQUESTS_KEPT = 50;
const NEWS_MAX = 30;

/**
 * Runs a scan that has not ended; one of a dead worker starts from the beginning.
 * @throws unknown at shutdown, so that another worker runs the scan again
 */
export async function runScan(app: ScansApp, id: string): Promise<void> {
  const scan = await findScanById(app.db, id);
  if (!scan) return;
  try {
    const live = await app.findLivePublication(app.db, scan.project_id);
    const version = live?.version ?? null;
    const started = { status: "Active", started_at: app.now() } as const;
    const isOpen = await updateScan(app.db, id, { ...started, version, hash: live?.hash ?? null });
    if (!isOpen) return;
    await endScan(app, { ...scan, version }, await visit(app, scan, live));
  } catch (error) {
    if (app.stopping.aborted) throw error;
    // A cancelled scan has ended already.
    if (error instanceof CancelledError) return;
    if (!isExpected(error)) app.log.error({ scan: id, err: error }, "scan failed");
    await failScan(app, scan, toMessage(error));
  }
}

/** The scan was cancelled, or its project deleted. */
class CancelledError extends Error {
  override readonly name = "CancelledError";
}

/** The site or the machine of the service has a problem, or the project was deleted. */
function isExpected(error: unknown): error is Error {
  return error instanceof ScanError || error instanceof Fault;
}

function toMessage(error: unknown): string {
  return isExpected(error) ? error.message : "The scan failed. The log has the reason.";
}

async function visit(
  app: ScansApp,
  { id, url, pages_max: pagesMax }: ScanRow,
  live: LivePublication | undefined,
): Promise<ScanResult> {
  const { chromium, config } = app;
  if ("missing" in chromium) throw new ScanError(chromium.missing);
  const ending = new AbortController();
  let progress: Progress | undefined;
  let isWriting = false;
  // Also finds out whether the scan was cancelled.
  const report = async (): Promise<void> => {
    if (isWriting) return;
    isWriting = true;
    try {
      const isOpen = await updateScan(app.db, id, progress ? { progress } : { status: "Active" });
      if (!isOpen) ending.abort(new CancelledError());
    } catch (error) {
      app.log.warn({ scan: id, err: error }, "scan progress not stored");
    } finally {
      isWriting = false;
    }
  };
  const timer = setInterval(() => void report(), PROGRESS_MS);
  try {
    return await app.scanSite({
      url,
      executablePath: chromium.path,
      hasSandbox: config.scans.hasSandbox,
      memoryBytesMax: config.scans.memoryBytesMax,
      totalSeconds: SCAN_SECONDS,
      pagesMax,
      resolve: app.resolve,
      declared: live?.vendors,
      allowedHosts: listOwnHosts(config),
      signal: AbortSignal.any([ending.signal, app.stopping]),
      onProgress: ({ phase, pages, pagesMax: max }) => {
        progress = { phase, pages, pagesMax: max };
      },
    });
  } finally {
    clearInterval(timer);
  }
}

/** Hosts of this service: the widget asks for consent, and needs none. */
function listOwnHosts({ http, cdnUrl }: ScansApp["config"]): string[] {
  return [http.publicUrl, cdnUrl].flatMap((url) => {
    const parsed = url === undefined ? null : URL.parse(url);
    return parsed ? [parsed.hostname] : [];
  });
}

async function endScan(app: ScansApp, scan: ScanRow, found: ScanResult): Promise<void> {
  const text = toBoundedText(found);
  const hash = createHash("sha256").update(text).digest("hex");
  await inTransaction(app.db, async (tx) => {
    const now = app.now();
    const isOpen = await updateScan(tx, scan.id, {
      status: "Done",
      progress: null,
      result: text,
      result_hash: hash,
      ended_at: now,
    });
    if (!isOpen) return;
    const ctx = toCtx({ tx, actor: scanner, now, requestId: undefined });
    const news = await findNews(tx, scan, found);
    await recordEvent(ctx, {
      name: "scan.done",
      projectId: scan.project_id,
      documentId: scan.id,
      data: { cause: scan.cause, version: scan.version, resultHash: hash, news: news.length },
    });
    if (news.length > 0 && scan.cause !== "request") await mailNews(ctx, app, { scan, news });
  });
}

async function failScan(app: ScansApp, scan: ScanRow, message: string): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const now = app.now();
    const change = { status: "Error", message, progress: null, ended_at: now } as const;
    if (!(await updateScan(tx, scan.id, change))) return;
    await recordEvent(toCtx({ tx, actor: scanner, now, requestId: undefined }), {
      name: "scan.failed",
      projectId: scan.project_id,
      documentId: scan.id,
      data: { cause: scan.cause },
    });
  });
}

/** Canonical JSON (RFC 8785), so that anybody can compute its hash. */
function toBoundedText(result: ScanResult): string {
  const text = canonicalize(result) ?? "";
  if (Buffer.byteLength(text) <= RESULT_BYTES_MAX) return text;
  const limits = [...new Set([...result.limits, "requests" as const])];
  const phases = result.phases.map((phase) => ({
    ...phase,
    requests: phase.requests.slice(0, REQUESTS_KEPT),
  }));
  return canonicalize({ ...result, limits, phases }) ?? "";
}

/** None for the first scan of a project. */
async function findNews(tx: Tx, scan: ScanRow, found: ScanResult): Promise<News[]> {
  const before = await findPreviousResult(tx, scan);
  return before === undefined ? [] : listNews(JSON.parse(before) as ScanResult, found);
}

const kinds: Readonly<Record<MailLanguage, Record<News["kind"], string>>> = {
  en: { service: "service", host: "host", cookie: "cookie" },
  fr: { service: "service", host: "hôte", cookie: "cookie" },
};

async function mailNews(
  { tx, now }: Ctx,
  { config, outbox, listPublishers }: ScansApp,
  { scan, news }: { scan: ScanRow; news: readonly News[] },
): Promise<void> {
  const { body } = await getProject(tx, { kind: "system" }, scan.project_id);
  const language = toMailLanguage(body.locales?.[0]);
  const letter = {
    kind: "scan-changed",
    url: `${config.http.publicUrl}${paths.admin}/projects/${scan.project_id}/scans/${scan.id}`,
    title: body.title,
    host: new URL(scan.url).host,
    news: news.slice(0, NEWS_MAX).map(({ kind, name }) => `${kinds[language][kind]} ${name}`),
  } as const;
  for (const { email: to } of await listUsersById(tx, await listPublishers(tx, scan.project_id)))
    await outbox.postLetter(tx, now, { to, language, letter, about: scan.project_id });
}
