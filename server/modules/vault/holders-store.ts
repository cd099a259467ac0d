import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/db.ts";

/** A user's roles on a document of those that were asked for, or on what it belongs to. */
export interface HolderRow {
  document_id: string;
  user_id: string;
  roles: string[];
}

/** The owners of a project's organization, or of the project itself where it is of none; the first `max`. */
export async function listOwnerIds(db: Db | Tx, projectId: string, max: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    SELECT u.user_id FROM documents d
    JOIN document_users u ON u.document_id = coalesce(d.organization_id, d.id) AND 'owner' = ANY (u.roles)
    WHERE d.id = ${projectId} ORDER BY u.user_id LIMIT ${max}`.execute(db);
  return rows.map((row) => row.user_id);
}

/** Who has roles on these documents, deleted ones too, by themselves or by what they belong to. */
export async function listHolderRows(
  db: Db | Tx,
  documentIds: readonly string[],
): Promise<HolderRow[]> {
  const { rows } = await sql<HolderRow>`
    SELECT d.id AS document_id, u.user_id, u.roles
    FROM documents d
    JOIN document_users u ON u.document_id IN (d.id, d.project_id, d.organization_id)
    WHERE d.id = ANY (${sql.val([...documentIds])}::text[])`.execute(db);
  return rows;
}
