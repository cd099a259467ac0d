import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";

/** Whether a second person confirms the project's erasures. */
export async function hasErasureRule(db: Db | Tx, projectId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM erasure_rules WHERE project_id = ${projectId}`.execute(db);
  return rows.length > 0;
}

/** Switches the rule on. Returns whether it was off. */
export async function insertErasureRule(
  tx: Tx,
  { projectId, userId, now }: { projectId: string; userId: string; now: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO erasure_rules (project_id, changed_by, changed_at)
    VALUES (${projectId}, ${userId}, ${now}) ON CONFLICT DO NOTHING`.execute(tx);
  return numAffectedRows === 1n;
}

/** Switches the rule off. Returns whether it was on. */
export async function deleteErasureRule(tx: Tx, projectId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    DELETE FROM erasure_rules WHERE project_id = ${projectId}`.execute(tx);
  return numAffectedRows === 1n;
}
