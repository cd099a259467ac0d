import { sql } from "kysely";
import type { Scope } from "../../kernel/actor.ts";
import type { Page, PageQuery } from "../../kernel/page.ts";
import type { Db, Tx } from "../../platform/db/db.ts";
import { rolesOf } from "../vault/documents/access.ts";
import { countSites } from "../vault/documents/inheriting.ts";
import { configurationResources } from "../vault/schemas/resources.ts";

/** A site of a template, and the roles that the scope has on it. */
export interface SiteRow {
  id: string;
  title: string;
  websiteURL: string;
  liveVersion: number | null;
  publishedAt: Date | null;
  /** Whether the template has changed since the site was brought up to it. */
  isBehind: boolean;
  overrides: number;
  /** The outcome of the newest publication that has ended for the site. */
  lastStatus: string | null;
  lastMessage: string | null;
  roles: string[];
}

/** One page of a template's sites, by their title. */
export async function listSiteRows(
  db: Db,
  scope: Scope,
  { templateId, page, perPage }: PageQuery & { templateId: string },
): Promise<Page<SiteRow>> {
  const total = await countSites(db, templateId);
  const { rows } = await sql<SiteRow>`
    SELECT documents.id, documents.body ->> 'title' AS title, documents.body ->> 'websiteURL' AS "websiteURL",
      documents.live_version AS "liveVersion", documents.published_at AS "publishedAt",
      (SELECT coalesce(sum(cardinality(l.overrides)), 0)::int FROM inherited_documents l
        WHERE l.project_id = documents.id) AS overrides,
      EXISTS (SELECT FROM documents t
          LEFT JOIN inherited_documents l ON l.template_document_id = t.id AND l.project_id = documents.id
        WHERE (t.id = ${templateId} OR t.project_id = ${templateId})
          AND t.resource = ANY (${["projects", ...configurationResources]})
          AND t.deleted_at IS NULL AND l.template_version IS DISTINCT FROM t.version)
        OR EXISTS (SELECT FROM inherited_documents l JOIN documents t ON t.id = l.template_document_id
          WHERE l.project_id = documents.id AND t.deleted_at IS NOT NULL) AS "isBehind",
      last.status AS "lastStatus", last.message AS "lastMessage", ${rolesOf(scope)} AS roles
    FROM inherited_documents i JOIN documents ON documents.id = i.project_id
      LEFT JOIN LATERAL (SELECT s.status, s.message
        FROM template_publications p JOIN template_publication_sites s ON s.publication_id = p.id
        WHERE p.template_id = ${templateId} AND s.project_id = documents.id AND s.ended_at IS NOT NULL
        ORDER BY p.created_at DESC, p.id DESC LIMIT 1) AS last ON true
    WHERE i.template_id = ${templateId} AND i.document_id = i.project_id
    ORDER BY title, documents.id LIMIT ${perPage} OFFSET ${(page - 1) * perPage}`.execute(db);
  return { items: rows, total };
}

/** The sites of a template, by their title. A template has at most 1,000. */
export async function listSiteTitles(
  tx: Tx,
  templateId: string,
): Promise<{ id: string; title: string }[]> {
  const { rows } = await sql<{ id: string; title: string }>`
    SELECT d.id, d.body ->> 'title' AS title
    FROM inherited_documents i JOIN documents d ON d.id = i.project_id
    WHERE i.template_id = ${templateId} AND i.document_id = i.project_id
    ORDER BY title, d.id`.execute(tx);
  return rows;
}
