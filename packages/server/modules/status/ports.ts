import type { Config } from "../../config/config.ts";
import type { AllPlanes } from "../../platform/db/buckets/buckets.ts";
import type { DataDb, Db } from "../../platform/db/db.ts";

/** Mails of this node since its start. */
export interface MailCounts {
  sent: number;
  failed: number;
}

export interface StatusApp extends AllPlanes {
  /** The databases of both planes, or the one. */
  databases: readonly (Db | DataDb)[];
  now: () => Date;
  config: Pick<Config, "dataDir" | "diskReserveBytes" | "mail">;
  readMailCounts: () => Promise<MailCounts>;
  startedAt: Date;
}
