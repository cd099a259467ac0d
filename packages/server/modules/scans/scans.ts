import { type Scope, toActorName } from "../../kernel/actor.ts";
import type { Ctx } from "../../kernel/ctx.ts";
import { recordEvent } from "../../kernel/events/events.ts";
import { newDocumentId } from "../../kernel/ids.ts";
import type { Page, PageQuery } from "../../kernel/page.ts";
import type { Db } from "../../platform/db/db.ts";
import { Fault } from "../../platform/errors.ts";
import { getProject } from "../vault/documents/access.ts";
import type { ScansApp } from "./ports.ts";
import {
  type ScanCause,
  type ScanRow,
  countRequestedScans,
  findOpenScan,
  findScan,
  insertScan,
  listProjectScans,
  updateScan,
} from "./store.ts";

export const SCAN_QUEUE = "scans";
const PAGES_DEFAULT = 10;
/** Maximum number of scans of a project in a day that people ask for: a scan visits a site that may be anybody's. */
const REQUESTS_MAX = 20;
const DAY_MS = 86_400_000;
const RETRY_SECONDS = 3_600;

interface ScanKey {
  projectId: string;
  scanId: string;
}

/**
 * Starts a scan of a project's website. Returns the scan that already waits or runs for the project instead of starting
 * a second one.
 * @throws Fault not-found, forbidden (see `getProject`), conflict if this service has no Chromium, too-many
 */
export async function requestScan(
  ctx: Ctx,
  { jobs, chromium }: Pick<ScansApp, "jobs" | "chromium">,
  { projectId, pages, cause }: { projectId: string; pages?: number | undefined; cause: ScanCause },
): Promise<ScanRow> {
  const { body } = await getProject(ctx.tx, ctx.scope, projectId);
  if ("missing" in chromium) throw new Fault("conflict", `${chromium.missing} Then restart.`);
  const open = await findOpenScan(ctx.tx, projectId);
  if (open) return open;
  if (cause === "request") await assertFewScans(ctx, projectId);
  const scan = await insertScan(ctx.tx, {
    id: newDocumentId(ctx.now),
    project_id: projectId,
    status: "Pending",
    cause,
    url: body.websiteURL,
    pages_max: pages ?? body.scan?.pages ?? PAGES_DEFAULT,
    created_at: ctx.now,
    created_by: toActorName(ctx.actor),
  });
  if (!scan) throw new Fault("busy", "Another scan of this project is starting. Try again.");
  await jobs.sendJob(ctx.tx, { queue: SCAN_QUEUE, data: { scanId: scan.id } });
  await recordEvent(ctx, {
    name: "scan.requested",
    projectId,
    documentId: scan.id,
    data: { cause },
  });
  return scan;
}

async function assertFewScans({ tx, now }: Ctx, projectId: string): Promise<void> {
  const since = new Date(now.getTime() - DAY_MS);
  if ((await countRequestedScans(tx, projectId, since)) < REQUESTS_MAX) return;
  throw new Fault("too-many", `A project can be scanned ${REQUESTS_MAX} times a day on request.`, {
    retryAfterSeconds: RETRY_SECONDS,
  });
}

/**
 * A scan with its result, as canonical JSON.
 * @throws Fault not-found
 */
export async function getScan(
  db: Db,
  scope: Scope,
  key: ScanKey,
): Promise<ScanRow & { result: string | null }> {
  await getProject(db, scope, key.projectId);
  const scan = await findScan(db, key);
  if (!scan) throw new Fault("not-found", `The project has no scan ${key.scanId}.`);
  return scan;
}

/** One page of a project's scans, newest first. Throws as `getProject`. */
export async function listScans(
  db: Db,
  scope: Scope,
  query: PageQuery & { projectId: string },
): Promise<Page<ScanRow>> {
  await getProject(db, scope, query.projectId);
  return listProjectScans(db, query);
}

/**
 * Cancels a scan that waits or runs; its worker stops within seconds.
 * @throws Fault not-found, forbidden, conflict when it has ended
 */
export async function cancelScan(ctx: Ctx, key: ScanKey): Promise<void> {
  await getProject(ctx.tx, ctx.scope, key.projectId);
  const scan = await findScan(ctx.tx, key);
  if (!scan) throw new Fault("not-found", `The project has no scan ${key.scanId}.`);
  const isOpen = await updateScan(ctx.tx, scan.id, {
    status: "Cancelled",
    message: "The scan was cancelled.",
    ended_at: ctx.now,
  });
  if (!isOpen) throw new Fault("conflict", "Only a scan that waits or runs can be cancelled.");
  await recordEvent(ctx, {
    name: "scan.cancelled",
    projectId: key.projectId,
    documentId: scan.id,
  });
}
