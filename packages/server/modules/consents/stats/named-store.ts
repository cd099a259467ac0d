import { type RawBuilder, sql } from "kysely";
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

/** The time of a publication in production, and of those before and after it. */
export async function findPublishedAt(
  db: Db,
  { projectId, version }: { projectId: string; version: number },
): Promise<{ publishedAt: Date; previousAt: Date | null; nextAt: Date | null } | undefined> {
  const { rows } = await sql<{ publishedAt: Date; previousAt: Date | null; nextAt: Date | null }>`
    SELECT published_at AS "publishedAt", ${publishedNear("<")} AS "previousAt", ${publishedNear(">")} AS "nextAt"
    FROM publications p
    WHERE project_id = ${projectId} AND environment = 'production' AND version = ${version}`.execute(
    db,
  );
  return rows[0];
}

/** The time of the next or previous publication to `p`. */
function publishedNear(direction: ">" | "<"): RawBuilder<Date | null> {
  return sql`(
    SELECT published_at FROM publications o
    WHERE o.project_id = p.project_id AND o.environment = p.environment AND o.version ${sql.raw(direction)} p.version
    ORDER BY o.version ${sql.raw(direction === ">" ? "ASC" : "DESC")} LIMIT 1)`;
}
