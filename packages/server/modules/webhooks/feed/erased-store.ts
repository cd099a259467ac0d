import { sql } from "kysely";
import type { DataDb } from "../../../platform/db/db.ts";

/** A record that was erased, and that deliveries may still name. */
export interface ErasedConsent {
  project_id: string;
  consent_id: string;
}

export async function listErased(db: DataDb, max: number): Promise<ErasedConsent[]> {
  const { rows } = await sql<ErasedConsent>`
    SELECT project_id, consent_id FROM erased_consents LIMIT ${max}`.execute(db);
  return rows;
}

export async function deleteErased(db: DataDb, erased: readonly ErasedConsent[]): Promise<void> {
  await sql`
    DELETE FROM erased_consents e USING unnest(${sql.val(erased.map((one) => one.project_id))}::text[],
      ${sql.val(erased.map((one) => one.consent_id))}::uuid[]) AS k(project_id, consent_id)
    WHERE e.project_id = k.project_id AND e.consent_id = k.consent_id`.execute(db);
}
