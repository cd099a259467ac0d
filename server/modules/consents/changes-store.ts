import type { Db } from "../../platform/db/db.ts";

/** The imports of a project that ended at `since` or later, and added records. */
export async function listImportsSince(
  _db: Db,
  _projectId: string,
  _since: Date,
): Promise<string[]> {
  return [];
}
