import { sql } from "kysely";
import type { DataDb } from "../../../platform/db/db.ts";

const BATCH_SIZE = 10_000;

/** Deletes idempotency keys that expired by `now`, one batch per transaction. */
export async function deleteConsentKeys(db: DataDb, now: Date): Promise<void> {
  for (let deleted = BATCH_SIZE; deleted === BATCH_SIZE;) {
    const { numAffectedRows } = await sql`
      DELETE FROM consent_keys WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM consent_keys WHERE expires_at <= ${now} LIMIT ${BATCH_SIZE}))
    `.execute(db);
    deleted = Number(numAffectedRows ?? 0n);
  }
}
