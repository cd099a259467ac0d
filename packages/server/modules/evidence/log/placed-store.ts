import { sql } from "kysely";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";

/** A sequenced consent. */
export interface PlacedConsent {
  leaf: number;
  projectId: string;
  consentId: string;
}

/** The consents from leaf `from` up to `to` (exclusive), in log order. */
export async function listPlacedConsents(
  db: DataDb | DataTx,
  { from, to }: { from: number; to: number },
): Promise<PlacedConsent[]> {
  const { rows } = await sql<PlacedConsent>`
    SELECT leaf, project_id AS "projectId", consent_id AS "consentId" FROM consent_salts
    WHERE leaf >= ${from} AND leaf < ${to} ORDER BY leaf`.execute(db);
  return rows;
}
