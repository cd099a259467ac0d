import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

/** A document of a project, with its current title. */
export interface TitledRow {
  id: string;
  resource: string;
  title: string | null;
}

/** The project's documents of these ids, also deleted ones. */
export async function listTitles(
  db: Db,
  { projectId, ids }: { projectId: string; ids: readonly string[] },
): Promise<TitledRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<TitledRow>`
    SELECT id, resource, coalesce(body->>'title', body->>'name') AS title FROM documents
    WHERE id = ANY (${sql.val([...ids])}::text[]) AND (project_id = ${projectId} OR id = ${projectId})`.execute(
    db,
  );
  return rows;
}

/** The names of these users, of those whom the other users of the project or its organization may see. */
export async function listMemberNames(
  db: Db,
  { projectId, ids }: { projectId: string; ids: readonly string[] },
): Promise<{ id: string; name: string }[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT DISTINCT u.id, u.display_name AS name
    FROM documents d
    JOIN document_users m ON m.document_id IN (d.id, d.organization_id) AND m.is_disclosed
    JOIN users u ON u.id = m.user_id
    WHERE d.id = ${projectId} AND u.id = ANY (${sql.val([...ids])}::text[])`.execute(db);
  return rows;
}
