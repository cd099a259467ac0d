import type { Db } from "../db/db.ts";
import type { Payments } from "./payments.ts";
import { findSubscription } from "./store.ts";

/**
 * The driver without a payment provider (wire section 8): the operator sets an organization's plan, which is read
 * from the service's own table, also offline.
 */
export function createManualPayments(db: Db): Payments {
  return {
    provider: "manual",
    findSubscription: (organizationId) => findSubscription(db, organizationId),
  };
}
