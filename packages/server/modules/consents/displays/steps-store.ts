import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

/** The step names of each cookie configuration of a published version; consent forms have the step ''. */
export async function listPublishedSteps(
  db: Db,
  { projectId, version }: { projectId: string; version: number },
): Promise<{ identifier: string; step: string }[]> {
  const { rows } = await sql<{ identifier: string; step: string }>`
    WITH p AS MATERIALIZED (
      SELECT content::jsonb AS content FROM publications
      WHERE project_id = ${projectId} AND environment = 'production' AND version = ${version}
    )
    SELECT c.cookies ->> 'identifier' AS identifier, s.name #>> '{}' AS step
    FROM p CROSS JOIN jsonb_path_query(p.content, '$.cookies[*]') AS c(cookies)
    CROSS JOIN jsonb_path_query(c.cookies, '$.steps[*].name') AS s(name)
    UNION ALL
    SELECT b.identifier #>> '{}', ''
    FROM p CROSS JOIN LATERAL (
      SELECT jsonb_path_query(p.content, '$.processings[*].identifier') AS identifier
      UNION ALL SELECT jsonb_path_query(p.content, '$.contracts[*].identifier')
    ) AS b`.execute(db);
  return rows;
}
