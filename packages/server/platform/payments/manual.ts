import type { Db } from "../db/db.ts";
import type { Payments } from "./payments.ts";
import { findSubscription } from "./store.ts";

/**
 * The provider of a service without a payment provider (wire section 8): the operator sets an
 * organization's plan, so that our own table is the source, and the service complete offline.
 */
export function createManualPayments(db: Db): Payments {
  return {
    provider: "manual",
    findSubscription: (organizationId) => findSubscription(db, organizationId),
  };
}
