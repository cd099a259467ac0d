import type { Config } from "../../config/config.ts";
import type { Planes } from "../../platform/db/db.ts";

/** Mails of this node since its start. */
export interface MailCounts {
  sent: number;
  failed: number;
}

export interface StatusApp extends Planes {
  now: () => Date;
  config: Pick<Config, "dataDir" | "diskReserveBytes" | "mail">;
  readMailCounts: () => Promise<MailCounts>;
  startedAt: Date;
}
