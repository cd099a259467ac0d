import type { Db, Tx } from "../../../platform/db/db.ts";
import { findHead } from "./store.ts";

/** What of the store others read the log's order from. */
export { type PlacedConsent, listPlacedConsents } from "./placed-store.ts";

/** How many entries the log has: what stands before is settled for ever. */
export async function findLogSize(db: Db | Tx): Promise<number> {
  return (await findHead(db))?.size ?? 0;
}
