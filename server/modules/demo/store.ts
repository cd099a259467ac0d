import { sql } from "kysely";
import type { Db } from "../../platform/db/db.ts";

/** The published project of the site at `websiteURL`; of several, the one that was published last. */
export async function findLiveProject(
  db: Db,
  websiteURL: string,
): Promise<{ id: string; title: string } | undefined> {
  const { rows } = await sql<{ id: string; title: string }>`
    SELECT id, body ->> 'title' AS title
    FROM documents
    WHERE deleted_at IS NULL
      AND resource = 'projects'
      AND live_version IS NOT NULL
      AND body @> ${JSON.stringify({ websiteURL })}::jsonb
    ORDER BY published_at DESC, id DESC
    LIMIT 1`.execute(db);
  return rows[0];
}
