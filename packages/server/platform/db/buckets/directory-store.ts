import { sql } from "kysely";
import type { DataDb } from "../db.ts";

/**
 * The bucket of the schema that migrations create, from which other buckets are made. It also has the tables of the whole
 * installation.
 */
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

/** The buckets that these projects were placed in, by project; without those that `findPlace` knows by their data only. */
export async function listPlaces(
  home: DataDb,
  projectIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; bucket: string }>`
    SELECT project_id AS id, bucket FROM project_buckets
    WHERE project_id = ANY (${sql.val([...projectIds])}::text[])`.execute(home);
  return new Map(rows.map(({ id, bucket }) => [id, bucket]));
}

/** One of the buckets that take projects, by a hash of the project's id; null without one. */
function choice(projectId: string) {
  return sql<string | null>`(
    SELECT names[1 + (hashtextextended(${projectId}, 0) & 2147483647) % cardinality(names)]
    FROM (SELECT array_agg(name ORDER BY name) AS names FROM buckets WHERE takes_projects) taking)`;
}

/**
 * Places a project in one of the buckets that take projects, spread by a hash of its id, unless it is placed already.
 * Returns its bucket.
 */
export async function placeProject(home: DataDb, projectId: string): Promise<string> {
  await sql`
    INSERT INTO project_buckets (project_id, bucket)
    SELECT ${projectId}, coalesce(${choice(projectId)}, ${HOME})
    ON CONFLICT (project_id) DO NOTHING`.execute(home);
  return (await findPlace(home, projectId)) ?? HOME;
}

/** A bucket and whether new projects are placed in it. */
export interface BucketRow {
  name: string;
  takesProjects: boolean;
}

export async function listBucketRows(home: DataDb): Promise<BucketRow[]> {
  const { rows } = await sql<BucketRow>`
    SELECT name, takes_projects AS "takesProjects" FROM buckets
    ORDER BY name <> ${HOME}, length(name), name`.execute(home);
  return rows;
}

/** Makes a bucket known to all nodes, which look every few seconds. No project is placed in it yet. */
export async function insertBucket(home: DataDb, name: string): Promise<void> {
  await sql`
    INSERT INTO buckets (name, takes_projects) VALUES (${name}, false) ON CONFLICT DO NOTHING`.execute(
    home,
  );
}

/** Places new projects in all buckets but the home bucket. */
export async function openOtherBuckets(home: DataDb): Promise<void> {
  // Projects whose data lies in the home bucket stay there: a restored backup knows some of them by their data only.
  await sql`
    INSERT INTO project_buckets (project_id, bucket)
    SELECT project_id, ${HOME} FROM (
      SELECT project_id FROM ${sql.id(HOME, "collecting_projects")}
      UNION SELECT project_id FROM ${sql.id(HOME, "offers")}
      UNION SELECT project_id FROM ${sql.id(HOME, "consent_states")}
      UNION SELECT project_id FROM ${sql.id(HOME, "imports")}
    ) present ON CONFLICT (project_id) DO NOTHING`.execute(home);
  await sql`UPDATE buckets SET takes_projects = name <> ${HOME}`.execute(home);
}

/** The bucket that a new project of this id would be placed in; undefined without one. */
export async function chooseBucket(home: DataDb, projectId: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string | null }>`SELECT ${choice(projectId)} AS name`.execute(
    home,
  );
  return rows[0]?.name ?? undefined;
}
