import type { JsonObject } from "@avow/contract/json";
import type { Config } from "../../config/config.ts";
import type { Scope } from "../../kernel/actor.ts";
import type { Db, Tx } from "../../platform/db/db.ts";
import type { Jobs } from "../../kernel/jobs.ts";
import type { Payments } from "../../platform/payments/payments.ts";
import type { Plans } from "./plans.ts";

/** Dependencies of this module's routes. */
export interface BillingApp {
  db: Db;
  now: () => Date;
  config: Pick<Config, "http">;
  plans: Plans;
  payments: Payments;
  jobs: Pick<Jobs, "sendJob">;
  /** Usage against the plan's limits; `configurations` is the count of the project with the most. */
  countUse: (
    db: Db | Tx,
    organizationId: string,
  ) => Promise<{ seats: number; projects: number; configurations: number }>;
  /** Returns the organization to its owners. Throws `Fault` not-found, forbidden. */
  getOwnOrganization: (
    db: Db | Tx,
    scope: Scope,
    id: string,
  ) => Promise<{ id: string; body: JsonObject }>;
}
