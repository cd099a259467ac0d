import { type Selectable, sql } from "kysely";
import type { Scope } from "../../kernel/actor.ts";
import type { Page, PageQuery } from "../../kernel/page.ts";
import type { Db, Tx } from "../../platform/db/db.ts";
import type {
  TemplatePublicationSitesTable,
  TemplatePublicationsTable,
} from "../../platform/db/tables.ts";
import { rolesOf } from "../vault/documents/access.ts";
import type { SiteReport } from "./report.ts";

/** `Cancelling`: no further site is started. */
export const publicationStatuses = ["Active", "Cancelling", "Done", "Cancelled"] as const;
export const siteStatuses = [
  "Pending",
  "Publishing",
  "Published",
  "Unchanged",
  "Failed",
  "Skipped",
  "Cancelled",
] as const;
export type SiteStatus = (typeof siteStatuses)[number];

export type Publication = Omit<Selectable<TemplatePublicationsTable>, "status"> & {
  status: (typeof publicationStatuses)[number];
};

export type PublicationRow = Publication & {
  /** Number of sites by status; without those of which there are none. */
  counts: Partial<Record<SiteStatus, number>>;
};

export type PublicationSiteRow = Omit<
  Selectable<TemplatePublicationSitesTable>,
  "status" | "report"
> & { status: SiteStatus; report: SiteReport | null };

const running = ["Active", "Cancelling"];

function publicationsOf(db: Db | Tx) {
  return db
    .selectFrom("template_publications as p")
    .selectAll("p")
    .select(
      sql<PublicationRow["counts"]>`(SELECT coalesce(jsonb_object_agg(status, count), '{}') FROM (
        SELECT status, count(*)::int AS count FROM template_publication_sites
        WHERE publication_id = p.id GROUP BY status) AS counted)`.as("counts"),
    );
}

export async function findPublication(db: Db | Tx, id: string): Promise<Publication | undefined> {
  const found = db.selectFrom("template_publications").selectAll().where("id", "=", id);
  return (await found.executeTakeFirst()) as Publication | undefined;
}

export async function findPublicationRow(
  db: Db | Tx,
  id: string,
): Promise<PublicationRow | undefined> {
  const row = await publicationsOf(db).where("id", "=", id).executeTakeFirst();
  return row as PublicationRow | undefined;
}

export async function findRunningPublication(
  tx: Tx,
  templateId: string,
): Promise<PublicationRow | undefined> {
  const row = await publicationsOf(tx)
    .where("template_id", "=", templateId)
    .where("status", "in", running)
    .executeTakeFirst();
  return row as PublicationRow | undefined;
}

/** One page of a template's publications, newest first. */
export async function listPublicationRows(
  db: Db,
  { templateId, page, perPage }: PageQuery & { templateId: string },
): Promise<Page<PublicationRow>> {
  const { total } = await db
    .selectFrom("template_publications")
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .where("template_id", "=", templateId)
    .executeTakeFirstOrThrow();
  const items = await publicationsOf(db)
    .where("template_id", "=", templateId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute();
  return { items: items as PublicationRow[], total };
}

/** Inserts a publication with its sites; undefined if another one of the template runs. */
export async function insertPublication(
  tx: Tx,
  publication: Pick<PublicationRow, "id" | "template_id" | "created_at" | "created_by">,
  sites: readonly { id: string; title: string }[],
): Promise<PublicationRow | undefined> {
  const inserted = await tx
    .insertInto("template_publications")
    .values({ ...publication, status: "Active", updated_at: publication.created_at })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!inserted) return undefined;
  if (sites.length > 0)
    await tx
      .insertInto("template_publication_sites")
      .values(
        sites.map(({ id, title }) => ({
          publication_id: publication.id,
          project_id: id,
          title,
          status: "Pending",
        })),
      )
      .execute();
  return findPublicationRow(tx, publication.id);
}

/** Changes a publication that runs; false if it has ended. */
export async function updatePublication(
  tx: Tx,
  id: string,
  change: Partial<Pick<Publication, "status" | "ended_at">>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("template_publications")
    .set(change)
    .where("id", "=", id)
    .where("status", "in", running)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Sets the time of the update of a publication that runs; false if it has ended or was updated after `from`. */
export async function touchPublication(
  tx: Tx,
  { id, from, now }: { id: string; from: Date; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("template_publications")
    .set({ updated_at: now })
    .where("id", "=", id)
    .where("status", "in", running)
    .where("updated_at", "=", from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Running publications without an update since `before`, at most `max`. This counts as an update. */
export async function updateStalePublications(
  tx: Tx,
  { before, now, max }: { before: Date; now: Date; max: number },
): Promise<Pick<Publication, "id" | "updated_at">[]> {
  const stale = tx
    .selectFrom("template_publications")
    .select("id")
    .where("status", "in", running)
    .where("updated_at", "<=", before)
    .orderBy("updated_at")
    .limit(max)
    .forUpdate()
    .skipLocked();
  return tx
    .updateTable("template_publications")
    .set({ updated_at: now })
    .where("id", "in", stale)
    .returning(["id", "updated_at"])
    .execute();
}

/** Deletes a template's publications apart from the newest `kept`. */
export async function deleteOldPublications(
  tx: Tx,
  templateId: string,
  kept: number,
): Promise<void> {
  await sql`
    DELETE FROM template_publications WHERE id IN (
      SELECT id FROM template_publications
      WHERE template_id = ${templateId} AND ended_at IS NOT NULL
      ORDER BY created_at DESC, id DESC OFFSET ${kept})`.execute(tx);
}

/** One page of the sites of a publication, by their title, with the roles of the scope on each. */
export async function listPublicationSites(
  db: Db,
  scope: Scope,
  {
    publicationId,
    status,
    page,
    perPage,
  }: PageQuery & { publicationId: string; status: SiteStatus | undefined },
): Promise<Page<PublicationSiteRow & { roles: string[] }>> {
  let found = db
    .selectFrom("template_publication_sites as s")
    .where("publication_id", "=", publicationId);
  if (status) found = found.where("status", "=", status);
  const { total } = await found
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const items = await found
    .innerJoin("documents", "documents.id", "s.project_id")
    .selectAll("s")
    .select(rolesOf(scope).as("roles"))
    .orderBy("s.title")
    .orderBy("s.project_id")
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute();
  return { items: items as (PublicationSiteRow & { roles: string[] })[], total };
}

/** Sites that wait and may start now, and the number of those that have not ended. */
export async function listWaitingSites(
  db: Db,
  { publicationId, now, max }: { publicationId: string; now: Date; max: number },
): Promise<{ waiting: PublicationSiteRow[]; publishing: number; open: number }> {
  const open = await db
    .selectFrom("template_publication_sites")
    .select(({ fn, eb }) => [
      fn.countAll<number>().as("open"),
      fn
        .countAll<number>()
        .filterWhere(eb("status", "=", "Publishing"))
        .as("publishing"),
    ])
    .where("publication_id", "=", publicationId)
    .where("status", "in", ["Pending", "Publishing"])
    .executeTakeFirstOrThrow();
  const { publishing } = open;
  const waiting = await db
    .selectFrom("template_publication_sites")
    .selectAll()
    .where("publication_id", "=", publicationId)
    .where("status", "=", "Pending")
    .where((site) => site.or([site("retry_at", "is", null), site("retry_at", "<=", now)]))
    .orderBy("project_id")
    .limit(Math.max(0, max - publishing))
    .execute();
  return { waiting: waiting as PublicationSiteRow[], publishing, open: open.open };
}

type SiteKey = Pick<PublicationSiteRow, "publication_id" | "project_id">;

/** Changes a site that waits; false if another worker has started it or it was cancelled. */
export async function updateWaitingSite(
  db: Db | Tx,
  key: SiteKey,
  {
    report,
    ...change
  }: Partial<
    Pick<
      PublicationSiteRow,
      "status" | "attempts" | "retry_at" | "publish_job_id" | "message" | "ended_at" | "report"
    >
  >,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("template_publication_sites")
    .set({ ...change, ...(report ? { report: JSON.stringify(report) } : {}) })
    .where("publication_id", "=", key.publication_id)
    .where("project_id", "=", key.project_id)
    .where("status", "=", "Pending")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends the sites whose publish jobs have ended; their number. */
export async function settlePublishedSites(db: Db, publicationId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE template_publication_sites s SET ended_at = j.ended_at, message = j.message,
      status = CASE WHEN j.status = 'Error' THEN 'Failed' WHEN j.unchanged THEN 'Unchanged'
        ELSE 'Published' END
    FROM publish_jobs j
    WHERE s.publication_id = ${publicationId} AND s.status = 'Publishing'
      AND j.id = s.publish_job_id AND j.status IN ('Done', 'Error')`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Cancels the sites that wait. */
export async function cancelWaitingSites(
  tx: Tx,
  publicationId: string,
  endedAt: Date,
): Promise<void> {
  await tx
    .updateTable("template_publication_sites")
    .set({ status: "Cancelled", ended_at: endedAt })
    .where("publication_id", "=", publicationId)
    .where("status", "=", "Pending")
    .execute();
}
