import { sql } from "kysely";
import type { DataDb } from "../db.ts";

/** The bucket of the schema that migrations create, which also has the tables of the whole installation. */
export const HOME = "public";

/** The names of all buckets, in order. */
export async function listBucketNames(home: DataDb): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM buckets ORDER BY name`.execute(
    home,
  );
  return rows.map(({ name }) => name);
}

/** The bucket that a project was placed in; undefined for one that has no data yet. */
export async function findPlace(home: DataDb, projectId: string): Promise<string | undefined> {
  const { rows } = await sql<{ bucket: string | null }>`
    SELECT coalesce(
      (SELECT bucket FROM project_buckets WHERE project_id = ${projectId}),
      (SELECT ${HOME} FROM ${sql.id(HOME, "collecting_projects")} WHERE project_id = ${projectId})
    ) AS bucket`.execute(home);
  return rows[0]?.bucket ?? undefined;
}

/**
 * Places a project in one of the buckets that take projects, spread by a hash of its id, unless it is placed already.
 * Returns its bucket.
 */
export async function placeProject(home: DataDb, projectId: string): Promise<string> {
  await sql`
    INSERT INTO project_buckets (project_id, bucket)
    SELECT ${projectId}, coalesce((
      SELECT names[1 + (hashtextextended(${projectId}, 0) & 2147483647) % cardinality(names)]
      FROM (SELECT array_agg(name ORDER BY name) AS names FROM buckets WHERE takes_projects) taking
    ), ${HOME})
    ON CONFLICT (project_id) DO NOTHING`.execute(home);
  return (await findPlace(home, projectId)) ?? HOME;
}
