import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

const PAGE = 10_000;

/** Deletes the keys of consents that ended before `now`, a bounded number in each transaction. */
export async function deleteConsentKeys(db: Db, now: Date): Promise<void> {
  for (let deleted = PAGE; deleted === PAGE;) {
    const { numAffectedRows } = await sql`
      DELETE FROM consent_keys WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM consent_keys WHERE expires_at <= ${now} LIMIT ${PAGE}))
    `.execute(db);
    deleted = Number(numAffectedRows ?? 0n);
  }
}
