import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";

/** The brand of the organization that a document is or belongs to, as stored. */
export async function findBrandBody(db: Db | Tx, documentId: string): Promise<unknown> {
  const { rows } = await sql<{ brand: unknown }>`
    SELECT o.body_jsonb -> 'brand' AS brand FROM documents d
    JOIN documents o ON o.id = coalesce(d.organization_id, d.id)
      AND o.resource = 'organizations' AND o.deleted_at IS NULL
    WHERE d.id = ${documentId}`.execute(db);
  return rows[0]?.brand ?? undefined;
}
