import { setTimeout as delay } from "node:timers/promises";
import type { Actor } from "../../kernel/actor.ts";
import { toScope } from "../../kernel/actor.ts";
import { toCtx } from "../../kernel/ctx.ts";
import { recordEvent } from "../../kernel/events/events.ts";
import { rolesFor } from "../../kernel/rights.ts";
import { Fault } from "../../platform/errors.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { requestPublish } from "../publish/jobs/publish.ts";
import { updateSite } from "../vault/documents/vault.ts";
import type { TemplatesApp } from "./ports.ts";
import {
  type Publication,
  type PublicationSiteRow,
  type SiteStatus,
  findPublication,
  findPublicationRow,
  listWaitingSites,
  settlePublishedSites,
  updatePublication,
  updateWaitingSite,
} from "./publications-store.ts";
import { type PublicationJob, sendNext } from "./queue.ts";
import { type SiteReport, reportSite } from "./report.ts";

/** Sites that are published at the same time; other publications share the workers of publish jobs with them. */
const PUBLISHING_MAX = 4;
/** Time of an attempt, after which the job goes to the end of the queue. */
const ATTEMPT_MS = 20_000;
const POLL_MS = 250;
/** Attempts to start a site while another job publishes it, or after an error of the service. */
const ATTEMPTS_MAX = 20;
const RETRY_MS = 2_000;

/** The actor of what is not done in the name of the user who asked for a publication. */
const templates: Actor = { kind: "system", name: "templates" };

/**
 * Runs a publication: brings each site up to the template, and publishes it. The state of each site is in the database,
 * so a worker resumes what another began, and two workers on one publication are safe. An error of a site ends that
 * site only.
 */
export async function runPublication(app: TemplatesApp, job: PublicationJob): Promise<void> {
  const { publicationId } = job;
  const endsAt = performance.now() + ATTEMPT_MS;
  for (;;) {
    const publication = await findPublication(app.db, publicationId);
    if (!publication || publication.ended_at) return;
    const settled = await settlePublishedSites(app.db, publicationId);
    const now = app.now();
    const query = { publicationId, now, max: PUBLISHING_MAX };
    const { waiting, open } = await listWaitingSites(app.db, query);
    if (open === 0) return endPublication(app, publication);
    for (const site of waiting) await startSite(app, publication, site);
    if (performance.now() > endsAt) return sendNext(app, job);
    if (settled + waiting.length === 0) await delay(POLL_MS);
  }
}

async function endPublication(app: TemplatesApp, publication: Publication): Promise<void> {
  const { id, template_id: projectId } = publication;
  const now = app.now();
  const status = publication.status === "Cancelling" ? "Cancelled" : "Done";
  await inTransaction(app.db, async (tx) => {
    if (!(await updatePublication(tx, id, { status, ended_at: now }))) return;
    const ctx = toCtx({ tx, actor: templates, now, requestId: undefined });
    const data = { status, ...(await findPublicationRow(tx, id))?.counts };
    await recordEvent(ctx, { name: "template.publication-done", projectId, documentId: id, data });
  });
}

/** Publishes with the rights that the user has now. */
function toPublisher(publication: Publication): Actor {
  const roles = rolesFor("publish");
  return { kind: "user", userId: publication.created_by, tokenId: "", roles };
}

async function startSite(
  app: TemplatesApp,
  publication: Publication,
  site: PublicationSiteRow,
): Promise<void> {
  const { template_id: templateId } = publication;
  const { project_id: id, title } = site;
  try {
    const scope = toScope(toPublisher(publication));
    const report = await reportSite(app, scope, { templateId, id, title });
    const status = endings[report.result];
    if (status) await endSite(app, site, { status, message: report.message, report });
    else await publishOrLeave(app, publication, site, report);
  } catch (error) {
    await postponeSite(app, site, error);
  }
}

async function publishOrLeave(
  app: TemplatesApp,
  publication: Publication,
  site: PublicationSiteRow,
  report: SiteReport,
): Promise<void> {
  try {
    await publishSite(app, publication, site, report);
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== "approval-needed") throw error;
    await leaveToApprovers(app, publication, site, error.message);
  }
}

/** Brings a site that requires approvals up to the template, so that its members can approve what it would publish. */
async function leaveToApprovers(
  app: TemplatesApp,
  publication: Publication,
  site: PublicationSiteRow,
  missing: string,
): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const actor = toPublisher(publication);
    const ctx = toCtx({ tx, actor, now: app.now(), requestId: undefined });
    const templateId = publication.template_id;
    await updateSite(ctx, app, { siteId: site.project_id, templateId });
  });
  await endSite(app, site, { status: "Failed", message: `The site is up to date. ${missing}` });
}

/** The outcomes of sites that are not published. */
const endings: Partial<Record<SiteReport["result"], SiteStatus>> = {
  unchanged: "Unchanged",
  blocked: "Failed",
  skipped: "Skipped",
};

async function endSite(
  app: TemplatesApp,
  site: PublicationSiteRow,
  outcome: Pick<PublicationSiteRow, "status" | "message"> & { report?: SiteReport },
): Promise<void> {
  await updateWaitingSite(app.db, site, { ...outcome, ended_at: app.now() });
}

/** Brings the site up to the template and asks for its publication, in one transaction. */
async function publishSite(
  app: TemplatesApp,
  publication: Publication,
  site: PublicationSiteRow,
  report: SiteReport,
): Promise<void> {
  const { project_id: projectId } = site;
  await inTransaction(app.db, async (tx) => {
    // Locks the site's row, so that only one worker continues.
    if (!(await updateWaitingSite(tx, site, { attempts: site.attempts + 1 }))) return;
    const actor = toPublisher(publication);
    const ctx = toCtx({ tx, actor, now: app.now(), requestId: undefined });
    await updateSite(ctx, app, { siteId: projectId, templateId: publication.template_id });
    const job = await requestPublish(ctx, app, { projectId, environment: "production" });
    if (job.created_at.getTime() !== ctx.now.getTime())
      throw new Fault("busy", "Another publication of this site is running.");
    await updateWaitingSite(tx, site, { status: "Publishing", publish_job_id: job.id, report });
  });
}

/** Retries a site that another job is publishing, or after an error of the service; any other error ends it. */
async function postponeSite(
  app: TemplatesApp,
  site: PublicationSiteRow,
  error: unknown,
): Promise<void> {
  const fault = error instanceof Fault ? error : undefined;
  const { project_id: projectId, publication_id: publicationId } = site;
  if (!fault) app.log.error({ err: error, projectId, publicationId }, "template site failed");
  const canRetry = !fault || fault.kind === "busy" || fault.kind === "conflict";
  if (canRetry && site.attempts < ATTEMPTS_MAX) {
    const retryAt = new Date(app.now().getTime() + RETRY_MS);
    await updateWaitingSite(app.db, site, { attempts: site.attempts + 1, retry_at: retryAt });
    return;
  }
  const message =
    fault?.message ??
    "The site could not be published because of a problem of the service. Its operator finds the cause in the log.";
  await endSite(app, site, { status: "Failed", message });
}
