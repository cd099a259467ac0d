import type { Db, Tx } from "../../../platform/db/db.ts";
import { toConsent } from "./consent-out.ts";
import { toRecord } from "./row.ts";
import type { ConsentOut } from "@avow/contract/consents";
import { listToldRows } from "./for-webhooks-store.ts";

export { listToldOutlines } from "./for-webhooks-store.ts";

/**
 * The consents with these keys as others are told of them, in no order. Those that were erased are missing, and those
 * that an import brought: they happened elsewhere, and somebody knew of them.
 */
export async function listToldConsents(
  db: Db | Tx,
  keys: readonly { projectId: string; consentId: string }[],
  publicUrl: string,
): Promise<ConsentOut[]> {
  if (keys.length === 0) return [];
  const rows = await listToldRows(db, keys);
  return rows.map((row) => toConsent(toRecord(row), publicUrl));
}
