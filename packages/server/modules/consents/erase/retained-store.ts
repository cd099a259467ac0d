import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

/** A project, which may be deleted. */
export interface RetainedRow {
  id: string;
  /** From the project's body, not validated. */
  months: unknown;
}

/** Projects in the order of their ids, after one. */
export async function listRetained(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<RetainedRow[]> {
  const { rows } = await sql<RetainedRow>`
    SELECT id, body #> '{retention,months}' AS months FROM documents
    WHERE resource = 'projects' AND id > ${after} ORDER BY id LIMIT ${limit}`.execute(db);
  return rows;
}
