import { sql } from "kysely";
import type { JsonObject } from "@avow/contract/json";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { configurationResources } from "../schemas/resources.ts";

/** A stored document, as inheritance compares it. */
export interface StoredRow {
  id: string;
  resource: string;
  body: JsonObject;
  version: number;
}

/** The relation of a site's document to its template's. */
export interface Link {
  documentId: string;
  templateDocumentId: string;
  /** The version of the template's document that the site has. */
  templateVersion: number;
  overrides: string[];
}

/** A project and its configurations, oldest first; the project comes first. */
export async function listStoredRows(db: Db | Tx, projectId: string): Promise<StoredRow[]> {
  return db
    .selectFrom("documents")
    .select(["id", "resource", "body", "version"])
    .where("deleted_at", "is", null)
    .where((row) =>
      row.or([
        row("id", "=", projectId),
        row.and([row("project_id", "=", projectId), row("resource", "in", configurationResources)]),
      ]),
    )
    .orderBy(sql`id <> ${projectId}`)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

export async function listLinks(db: Db | Tx, projectId: string): Promise<Link[]> {
  return db
    .selectFrom("inherited_documents")
    .select([
      "document_id as documentId",
      "template_document_id as templateDocumentId",
      "template_version as templateVersion",
      "overrides",
    ])
    .where("project_id", "=", projectId)
    .execute();
}

/** The template's document that a document follows. */
export interface Source extends StoredRow {
  /** The site's document. */
  documentId: string;
  templateId: string;
  templateTitle: string;
  overrides: string[];
}

/** Includes deleted sources, which end when the site is brought up to date. */
function sourcesOf(db: Db | Tx) {
  return db
    .selectFrom("inherited_documents as i")
    .innerJoin("documents as d", "d.id", "i.template_document_id")
    .innerJoin("documents as t", "t.id", "i.template_id")
    .select(["d.id", "d.resource", "d.body", "d.version", "i.overrides"])
    .select(["i.document_id as documentId", "i.template_id as templateId"])
    .select(sql<string>`t.body ->> 'title'`.as("templateTitle"));
}

/** The source of a document; undefined for a document of the project's own. */
export async function findSource(db: Db | Tx, documentId: string): Promise<Source | undefined> {
  return sourcesOf(db).where("i.document_id", "=", documentId).executeTakeFirst();
}

/** The sources of a site's documents. */
export async function listSources(db: Db | Tx, projectId: string): Promise<Source[]> {
  return sourcesOf(db).where("i.project_id", "=", projectId).orderBy("i.document_id").execute();
}

export async function updateOverrides(
  tx: Tx,
  documentId: string,
  overrides: readonly string[],
): Promise<void> {
  await tx
    .updateTable("inherited_documents")
    .set({ overrides: [...overrides] })
    .where("document_id", "=", documentId)
    .execute();
}

/** Stores the links of a site in place of its former ones. */
export async function replaceLinks(
  tx: Tx,
  { projectId, templateId }: { projectId: string; templateId: string },
  links: readonly Link[],
): Promise<void> {
  await deleteLinks(tx, projectId);
  await tx
    .insertInto("inherited_documents")
    .values(
      links.map((link) => ({
        document_id: link.documentId,
        project_id: projectId,
        template_id: templateId,
        template_document_id: link.templateDocumentId,
        template_version: link.templateVersion,
        overrides: link.overrides,
      })),
    )
    .execute();
}

export async function deleteLinks(tx: Tx, projectId: string): Promise<void> {
  await tx.deleteFrom("inherited_documents").where("project_id", "=", projectId).execute();
}

/** Number of sites of a template; each has one link for its project. */
export async function countSites(db: Db | Tx, templateId: string): Promise<number> {
  const { count } = await db
    .selectFrom("inherited_documents")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("template_id", "=", templateId)
    .whereRef("document_id", "=", "project_id")
    .executeTakeFirstOrThrow();
  return count;
}

/** Marks configurations of a site as deleted. */
export async function deleteInherited(
  tx: Tx,
  ids: readonly string[],
  deletedAt: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await tx.updateTable("documents").set({ deleted_at: deletedAt }).where("id", "in", ids).execute();
}
