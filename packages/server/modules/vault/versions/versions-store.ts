import type { Selectable } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { Tables } from "../../../platform/db/tables.ts";
import type { Page, PageQuery } from "../../../kernel/page.ts";

export type VersionRow = Selectable<Tables["document_versions"]>;

/** One page of a document's versions without their bodies, newest first. */
export async function listVersionRows(
  db: Db,
  documentId: string,
  { page, perPage }: PageQuery,
): Promise<Page<Omit<VersionRow, "body">>> {
  const versions = db.selectFrom("document_versions").where("document_id", "=", documentId);
  const { total } = await versions
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const items = await versions
    .select(["document_id", "version", "operation", "created_at", "created_by"])
    .orderBy("version", "desc")
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute();
  return { items, total };
}

export async function findVersionRow(
  db: Db | Tx,
  documentId: string,
  version: number,
): Promise<VersionRow | undefined> {
  return db
    .selectFrom("document_versions")
    .selectAll()
    .where("document_id", "=", documentId)
    .where("version", "=", version)
    .executeTakeFirst();
}
