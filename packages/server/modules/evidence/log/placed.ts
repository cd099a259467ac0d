import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import { findHead } from "./store.ts";

/** The log's order, for other modules. */
export { listPlacedConsents } from "./placed-store.ts";

/** The number of entries of the log. Entries below it never change. */
export async function findLogSize(db: DataDb | DataTx): Promise<number> {
  return (await findHead(db))?.size ?? 0;
}
