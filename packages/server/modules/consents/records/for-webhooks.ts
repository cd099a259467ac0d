import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import { toConsent } from "./consent-out.ts";
import { toRecord } from "./row.ts";
import type { ConsentOut } from "@avow/contract/consents";
import { listRecordRows } from "./for-webhooks-store.ts";

export { listRecordOutlines } from "./for-webhooks-store.ts";

/**
 * The consents with these keys for webhook payloads, in no order. Erased ones are missing. So are imported ones, which
 * are not new events.
 */
export async function listConsentsForWebhooks(
  db: DataDb | DataTx,
  keys: readonly { projectId: string; consentId: string }[],
  publicUrl: string,
): Promise<ConsentOut[]> {
  if (keys.length === 0) return [];
  const rows = await listRecordRows(db, keys);
  return rows.map((row) => toConsent(toRecord(row), publicUrl));
}
