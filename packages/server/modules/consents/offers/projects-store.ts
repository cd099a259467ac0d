import { sql } from "kysely";
import type { DataDb } from "../../../platform/db/db.ts";

/** A project as collection sees it. */
export interface CollectingProject {
  isOpen: boolean;
  /** Null: not published. */
  liveVersion: number | null;
}

/** Undefined for a project of which nothing was collected or published yet. */
export async function findCollecting(
  db: DataDb,
  projectId: string,
): Promise<CollectingProject | undefined> {
  const { rows } = await sql<CollectingProject>`
    SELECT is_open AS "isOpen", live_version AS "liveVersion" FROM collecting_projects
    WHERE project_id = ${projectId}`.execute(db);
  return rows[0];
}

/** Stores the state of a project, unless a newer one is stored already. */
export async function putCollecting(
  db: DataDb,
  {
    projectId,
    isOpen,
    liveVersion,
    epoch,
  }: CollectingProject & { projectId: string; epoch: number },
): Promise<void> {
  await sql`
    INSERT INTO collecting_projects AS p (project_id, live_version, is_open, epoch)
    VALUES (${projectId}, ${liveVersion}, ${isOpen}, ${epoch})
    ON CONFLICT (project_id) DO UPDATE SET live_version = excluded.live_version,
      is_open = excluded.is_open, epoch = excluded.epoch
    WHERE p.epoch < excluded.epoch`.execute(db);
}
