import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

/** A published version, compared with its hash. */
export interface CheckedPublication {
  project_id: string;
  environment: string;
  version: number;
  hash: string;
  /** Whether the content matches the hash of the row. */
  is_content_valid: boolean;
}

/** The next published versions after a key, in key order. */
export async function listCheckedPublications(
  db: Db,
  after: { projectId: string; environment: string; version: number },
  limit: number,
): Promise<CheckedPublication[]> {
  const { rows } = await sql<CheckedPublication>`
    SELECT project_id, environment, version, hash,
      encode(sha256(convert_to(content, 'UTF8')), 'hex') = hash AS is_content_valid
    FROM publications
    WHERE (project_id, environment, version) > (${after.projectId}, ${after.environment}, ${after.version})
    ORDER BY project_id, environment, version LIMIT ${limit}`.execute(db);
  return rows;
}
