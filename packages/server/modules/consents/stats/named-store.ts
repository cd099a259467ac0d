import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

/** Names and languages of configurations of a project, including deleted ones. */
export async function listNamed(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<{ id: string; name: string | null; language: string | null }[]> {
  const { rows } = await sql<{ id: string; name: string | null; language: string | null }>`
    SELECT id, coalesce(nullif(body ->> 'title', ''), nullif(body ->> 'name', '')) AS name,
      body ->> 'language' AS language
    FROM documents WHERE project_id = ${projectId} AND id = ANY(${sql.val([...ids])}::text[])`.execute(
    db,
  );
  return rows;
}
