import type { Db, Tx } from "../../platform/db/db.ts";
import type { DocumentRow } from "../vault/access.ts";

/** The live contracts and processings of some projects, oldest first. */
export async function listForms(
  db: Db | Tx,
  projectIds: readonly string[],
): Promise<DocumentRow[]> {
  if (projectIds.length === 0) return [];
  return db
    .selectFrom("documents")
    .selectAll()
    .where("project_id", "in", projectIds)
    .where("resource", "in", ["contracts", "processings"])
    .where("deleted_at", "is", null)
    .orderBy("id")
    .execute();
}
