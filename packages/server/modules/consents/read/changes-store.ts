import { sql } from "kysely";
import type { DataDb } from "../../../platform/db/db.ts";

/** Imports of a project that ended at `since` or later and added records. */
export async function listImportsSince(
  db: DataDb,
  projectId: string,
  since: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM imports
    WHERE project_id = ${projectId} AND ended_at >= ${since} AND NOT dry_run AND imported > 0
    ORDER BY id
  `.execute(db);
  return rows.map(({ id }) => id);
}
