import type { JsonObject } from "@avow/contract/json";
import type { Config } from "../../config/config.ts";
import type { Scope } from "../../kernel/actor.ts";
import type { Db, Tx } from "../../platform/db/db.ts";
import type { Jobs } from "../../kernel/jobs.ts";
import type { Payments } from "../../platform/payments/payments.ts";
import type { Plans } from "./plans.ts";

/** What the routes of this module are handed. */
export interface BillingApp {
  db: Db;
  now: () => Date;
  config: Pick<Config, "http">;
  plans: Plans;
  payments: Payments;
  jobs: Pick<Jobs, "sendJob">;
  /** What of the plan's limits an organization uses; `configurations` are those of the project that has the most. */
  countUse: (
    db: Db | Tx,
    organizationId: string,
  ) => Promise<{ seats: number; projects: number; configurations: number }>;
  /** The organization, for its owners. Throws `Fault` not-found, forbidden. */
  getOwnOrganization: (
    db: Db | Tx,
    scope: Scope,
    id: string,
  ) => Promise<{ id: string; body: JsonObject }>;
}
