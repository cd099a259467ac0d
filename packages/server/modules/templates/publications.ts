import { type Scope, toActorName } from "../../kernel/actor.ts";
import type { Ctx } from "../../kernel/ctx.ts";
import { recordEvent } from "../../kernel/events/events.ts";
import { newDocumentId } from "../../kernel/ids.ts";
import type { Jobs } from "../../kernel/jobs.ts";
import type { Page, PageQuery } from "../../kernel/page.ts";
import type { Right } from "../../kernel/rights.ts";
import type { Db, Tx } from "../../platform/db/db.ts";
import { Fault, assertNoFaults } from "../../platform/errors.ts";
import { assertApproved, readDraftDigest } from "../publish/approval/approving.ts";
import type { FindApprovals } from "../publish/publications/publishing.ts";
import { type ProjectRow, getProject } from "../vault/documents/access.ts";
import { assertTemplate } from "../vault/documents/inheriting.ts";
import {
  type PublicationRow,
  type PublicationSiteRow,
  type SiteStatus,
  cancelWaitingSites,
  deleteOldPublications,
  findPublicationRow,
  findRunningPublication,
  insertPublication,
  listPublicationRows,
  listPublicationSites,
  updatePublication,
} from "./publications-store.ts";
import { type SiteRow, listSiteRows, listSiteTitles } from "./sites-store.ts";

/** The queue of publications of templates; its data is `{ publicationId }`. */
export const TEMPLATE_QUEUE = "template-publications";
/** Publications of a template that are kept, with the reports of their sites. */
const KEPT_MAX = 50;

interface PublicationKey {
  templateId: string;
  publicationId: string;
}

async function getTemplate(
  db: Db | Tx,
  scope: Scope,
  templateId: string,
  right?: Right,
): Promise<ProjectRow> {
  const template = await getProject(db, scope, templateId, right);
  assertTemplate(template);
  return template;
}

/** One page of a template's sites with their states. @throws Fault not-found, forbidden */
export async function listSites(
  db: Db,
  scope: Scope,
  query: PageQuery & { templateId: string },
): Promise<Page<SiteRow>> {
  await getTemplate(db, scope, query.templateId);
  return listSiteRows(db, scope, query);
}

/**
 * Starts a publication of all sites of a template, or of those in `siteIds`. Returns the one that already runs instead
 * of starting a second one. Each site is published with the rights that the caller has on it then.
 * @throws Fault not-found, forbidden, impossible (a site of another template), conflict (sites while another
 *   publication runs), approval-needed (by the template)
 */
export async function requestPublication(
  ctx: Ctx,
  { jobs, findApprovals }: { jobs: Pick<Jobs, "sendJob">; findApprovals: FindApprovals },
  { templateId, siteIds }: { templateId: string; siteIds: readonly string[] | undefined },
): Promise<PublicationRow> {
  await getTemplate(ctx.tx, ctx.scope, templateId, "publish");
  if (ctx.actor.kind !== "user" || ctx.actor.projectId !== undefined)
    throw new Fault("forbidden", "An API key of one project cannot publish other projects.");
  const sites = await selectSites(ctx.tx, templateId, siteIds);
  const { now } = ctx;
  const created = { created_at: now, created_by: toActorName(ctx.actor) };
  const row = { id: newDocumentId(now), template_id: templateId, ...created };
  const publication = await insertPublication(ctx.tx, row, sites);
  if (!publication) return findSame(ctx, templateId, siteIds);
  await assertApproved({ findApprovals }, ctx.tx, {
    project_id: templateId,
    environment: "production",
    rollback_of: null,
    created_by: created.created_by,
    skips_approval: false,
    force_reason: null,
    toDigest: () => readDraftDigest(ctx.tx, templateId),
  });
  await deleteOldPublications(ctx.tx, templateId, KEPT_MAX);
  const { id } = publication;
  await jobs.sendJob(ctx.tx, { queue: TEMPLATE_QUEUE, data: { publicationId: id }, key: id });
  await recordEvent(ctx, {
    name: "template.publication-requested",
    projectId: templateId,
    documentId: id,
    data: { sites: sites.length },
  });
  return publication;
}

async function selectSites(tx: Tx, templateId: string, siteIds: readonly string[] | undefined) {
  const sites = await listSiteTitles(tx, templateId);
  if (!siteIds) return sites;
  const known = new Set(sites.map(({ id }) => id));
  const message = "is not a site of this template";
  assertNoFaults(
    siteIds.flatMap((id, at) => (known.has(id) ? [] : [{ path: `/sites/${at}`, message }])),
    "impossible",
  );
  const selected = new Set(siteIds);
  return sites.filter(({ id }) => selected.has(id));
}

async function findSame(
  { tx }: Ctx,
  templateId: string,
  siteIds: readonly string[] | undefined,
): Promise<PublicationRow> {
  const other = await findRunningPublication(tx, templateId);
  if (!other) throw new Fault("busy", "Another publication is ending. Try again.");
  if (!siteIds && other.status === "Active") return other;
  const detail = `The publication ${other.id} of this template is running. Try again after it has ended.`;
  throw new Fault("conflict", detail, { retryAfterSeconds: 5 });
}

/** @throws Fault not-found, forbidden */
export async function getPublication(
  db: Db | Tx,
  scope: Scope,
  { templateId, publicationId }: PublicationKey,
): Promise<PublicationRow> {
  await getTemplate(db, scope, templateId);
  const publication = await findPublicationRow(db, publicationId);
  if (publication?.template_id === templateId) return publication;
  throw new Fault("not-found", `The template has no publication ${publicationId}.`);
}

/** One page of a template's publications, newest first. Throws as `getPublication`. */
export async function listPublications(
  db: Db,
  scope: Scope,
  query: PageQuery & { templateId: string },
): Promise<Page<PublicationRow>> {
  await getTemplate(db, scope, query.templateId);
  return listPublicationRows(db, query);
}

/** One page of the sites of a publication, with their reports. Throws as `getPublication`. */
export async function listOutcomes(
  db: Db,
  scope: Scope,
  query: PublicationKey & PageQuery & { status: SiteStatus | undefined },
): Promise<Page<PublicationSiteRow & { roles: string[] }>> {
  await getPublication(db, scope, query);
  return listPublicationSites(db, scope, query);
}

/**
 * Cancels a publication: sites that wait are not published. Those that are being published end.
 * @throws Fault not-found, forbidden, conflict when it has ended
 */
export async function cancelPublication(ctx: Ctx, key: PublicationKey): Promise<void> {
  const { id, status } = await getPublication(ctx.tx, ctx.scope, key);
  if (status === "Cancelling") return;
  const change = { status: "Cancelling", updated_at: ctx.now } as const;
  if (!(await updatePublication(ctx.tx, id, change)))
    throw new Fault("conflict", "Only a publication that runs can be cancelled.");
  await cancelWaitingSites(ctx.tx, id, ctx.now);
  const { templateId: projectId } = key;
  await recordEvent(ctx, { name: "template.publication-cancelled", projectId, documentId: id });
}
