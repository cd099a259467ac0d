import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../../../config/config.ts";
import type { Cdn } from "../../../platform/cdn/cdn.ts";
import type { AllPlanes } from "../../../platform/db/buckets/buckets.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { Jobs } from "../../../kernel/jobs.ts";
import type { Objects } from "../../../platform/objects/objects.ts";
import type { Payments } from "../../../platform/payments/payments.ts";
import type { Renders } from "../../assets/renders/renders.ts";
import type { Spool } from "../../assets/storage/spool.ts";
import type { Plans } from "../../billing/plans.ts";
import type { JobChange, PublicationApproval } from "./store.ts";
import type { WidgetFiles } from "./widget-files.ts";

/** The result of a step; `change` updates the job in the transaction that ends the step. */
export interface Outcome {
  message: string;
  change?: (tx: Tx) => Promise<JobChange>;
}

/** A worker's time for the pictures of a job. */
export interface PictureBudget {
  /** Checked before each render and each copy of a file. */
  hasTime: () => boolean;
}

/** The approvals that count for a publication of a draft, without one by the person who publishes. */
export type FindApprovals = (
  db: Db | Tx,
  draft: { projectId: string; publishedBy: string; toDigest: () => Promise<string> },
) => Promise<Omit<PublicationApproval, "bypassed"> | undefined>;

/** The dependencies of publishing, passed by the composition root. */
export interface Publishing extends AllPlanes {
  jobs: Jobs;
  objects: Objects;
  cdn: Cdn;
  renders: Renders;
  spool: Spool;
  payments: Payments;
  plans: Plans;
  widget: Pick<WidgetFiles, "hash" | "entry" | "blocker">;
  findApprovals: FindApprovals;
  config: Pick<Config, "cdnUrl" | "http" | "tcfVendorList" | "tcfVendorListUrl">;
  now: () => Date;
  log: Pick<FastifyBaseLogger, "info" | "warn" | "error">;
}
