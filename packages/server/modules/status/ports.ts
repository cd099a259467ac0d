import type { Config } from "../../config/config.ts";
import type { Db } from "../../platform/db/db.ts";

/** Mails of this node since its start. */
export interface MailCounts {
  sent: number;
  failed: number;
}

export interface StatusApp {
  db: Db;
  now: () => Date;
  config: Pick<Config, "dataDir" | "diskReserveBytes" | "mail">;
  readMailCounts: () => Promise<MailCounts>;
  startedAt: Date;
}
