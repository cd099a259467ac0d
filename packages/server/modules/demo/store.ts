import { sql } from "kysely";
import type { Db } from "../../platform/db/db.ts";

/** A live project, with its published content as canonical JSON. */
export interface LiveProject {
  id: string;
  title: string;
  content: string;
}

/** The live project of the site at `websiteURL`; the one published last if there are several. */
export async function findLiveProject(
  db: Db,
  websiteURL: string,
): Promise<LiveProject | undefined> {
  const { rows } = await sql<LiveProject>`
    SELECT documents.id, documents.body ->> 'title' AS title, publications.content
    FROM documents
    JOIN publications ON publications.project_id = documents.id
      AND publications.environment = 'production'
      AND publications.version = documents.live_version
    WHERE documents.deleted_at IS NULL
      AND documents.resource = 'projects'
      AND documents.live_version IS NOT NULL
      AND documents.body_jsonb @> ${JSON.stringify({ websiteURL })}::jsonb
    ORDER BY documents.published_at DESC, documents.id DESC
    LIMIT 1`.execute(db);
  return rows[0];
}
