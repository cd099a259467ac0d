import { sql } from "kysely";
import type { Db } from "../../platform/db/db.ts";

/** A live project, with its published content as canonical JSON. */
export interface LiveProject {
  id: string;
  title: string;
  content: string;
}

/** The demo's project, if it is live. */
export async function findDemoProject(db: Db): Promise<LiveProject | undefined> {
  const { rows } = await sql<LiveProject>`
    SELECT documents.id, documents.body ->> 'title' AS title, publications.content
    FROM demo_project
    JOIN documents ON documents.id = demo_project.project_id
    JOIN publications ON publications.project_id = documents.id
      AND publications.environment = 'production'
      AND publications.version = documents.live_version
    WHERE documents.deleted_at IS NULL AND documents.resource = 'projects'`.execute(db);
  return rows[0];
}

/**
 * Makes a project the demo's; false if there is no such project in this database. No request may do this: the page has
 * the origin of the admin app.
 */
export async function putDemoProject(db: Db, projectId: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO demo_project (id, project_id)
    SELECT 1, documents.id FROM documents
    WHERE documents.id = ${projectId} AND documents.resource = 'projects'
      AND documents.deleted_at IS NULL
    ON CONFLICT (id) DO UPDATE SET project_id = excluded.project_id`.execute(db);
  return numAffectedRows > 0n;
}
