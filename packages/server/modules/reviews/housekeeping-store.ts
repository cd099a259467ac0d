import { sql } from "kysely";
import type { Tx } from "../../platform/db/db.ts";

/** In the order of their references. */
const tables = [
  "review_comments",
  "review_decisions",
  "review_links",
  "review_requests",
  "review_settings",
] as const;

/** Deletes the reviews of projects that were deleted before an instant. */
export async function deleteReviewsOfDeleted(tx: Tx, before: Date): Promise<void> {
  for (const table of tables)
    await sql`
      DELETE FROM ${sql.table(table)} WHERE project_id IN (
        SELECT id FROM documents WHERE resource = 'projects' AND deleted_at < ${before})`.execute(
      tx,
    );
}
