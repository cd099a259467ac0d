import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";

/** The brand of the organization that a document is or belongs to, as stored, and its domain if that was found. */
export async function findBrandBody(
  db: Db | Tx,
  documentId: string,
): Promise<{ brand: unknown; host: string | null } | undefined> {
  const { rows } = await sql<{ brand: unknown; host: string | null }>`
    SELECT o.body_jsonb -> 'brand' AS brand, b.host FROM documents d
    JOIN documents o ON o.id = coalesce(d.organization_id, d.id)
      AND o.resource = 'organizations' AND o.deleted_at IS NULL
    LEFT JOIN brand_domains b ON b.organization_id = o.id AND b.fault IS NULL
    WHERE d.id = ${documentId}`.execute(db);
  return rows[0];
}
