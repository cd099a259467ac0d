import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../../../config/config.ts";
import type { Cdn } from "../../../platform/cdn/cdn.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { Jobs } from "../../../kernel/jobs.ts";
import type { Objects } from "../../../platform/objects/objects.ts";
import type { Payments } from "../../../platform/payments/payments.ts";
import type { Renders } from "../../assets/renders/renders.ts";
import type { Spool } from "../../assets/storage/spool.ts";
import type { Plans } from "../../billing/plans.ts";
import type { JobChange } from "./store.ts";
import type { WidgetFiles } from "./widget-files.ts";

/** What a step found, and what it leaves in the job, in the transaction that ends the step. */
export interface Outcome {
  message: string;
  change?: (tx: Tx) => Promise<JobChange>;
}

/** What a worker may do in its turn with a job. */
export interface Turn {
  /** Whether it may make a picture, or copy a file: asked before each. */
  mayMake: () => boolean;
}

/** What publishing is made of; handed down by the composition root. */
export interface Publishing {
  db: Db;
  jobs: Jobs;
  objects: Objects;
  cdn: Cdn;
  /** Pictures that are made of assets, and where they lie until they are put into storage. */
  renders: Renders;
  spool: Spool;
  payments: Payments;
  plans: Plans;
  /** What shows what is published. */
  widget: Pick<WidgetFiles, "hash" | "entry">;
  config: Pick<Config, "cdnUrl" | "http" | "tcfVendorList">;
  now: () => Date;
  log: Pick<FastifyBaseLogger, "info" | "warn" | "error">;
}
