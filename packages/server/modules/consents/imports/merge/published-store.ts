import { sql } from "kysely";
import type { Db } from "../../../../platform/db/db.ts";

/** Publication times of a project's versions, oldest first. */
export async function listPublishedAt(
  db: Db,
  projectId: string,
): Promise<{ version: number; publishedAt: Date }[]> {
  const { rows } = await sql<{ version: number; publishedAt: Date }>`
    SELECT version, published_at AS "publishedAt" FROM publications
    WHERE project_id = ${projectId} AND environment = 'production'
    ORDER BY published_at, version`.execute(db);
  return rows;
}
