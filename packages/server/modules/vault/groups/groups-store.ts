import { sql } from "kysely";
import type { Scope } from "../../../kernel/actor.ts";
import type { Db } from "../../../platform/db/db.ts";
import { visibleTo } from "../documents/store.ts";

/** The groups of the projects that `scope` sees with one of the roles `held`, by name, with their numbers of projects. */
export async function listGroups(
  db: Db,
  scope: Scope,
  { held, limit }: { held: readonly string[]; limit: number },
): Promise<{ name: string; projects: number }[]> {
  // Before groups were a field of the service, a project could have any value of this name.
  const { rows } = await sql<{ name: string; projects: number }>`
    SELECT name, count(*)::int AS projects
    FROM (SELECT jsonb_path_query(body_jsonb, '$.groups[*] ? (@.type() == "string")') #>> '{}' AS name
      FROM documents WHERE resource = 'projects' AND deleted_at IS NULL AND ${visibleTo(scope, held)}) AS named
    GROUP BY name ORDER BY lower(name), name LIMIT ${limit}`.execute(db);
  return rows;
}
