import type { Db, Tx } from "../../../platform/db/db.ts";
import { findHead } from "./store.ts";

/** The log's order, for other modules. */
export { listPlacedConsents } from "./placed-store.ts";

/** How many entries the log has: what stands before is settled for ever. */
export async function findLogSize(db: Db | Tx): Promise<number> {
  return (await findHead(db))?.size ?? 0;
}
