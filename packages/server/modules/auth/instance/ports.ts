import type { Config } from "../../../config/config.ts";
import type { Db } from "../../../platform/db/db.ts";

/** Dependencies of the routes of the installation. */
export interface InstanceApp {
  db: Db;
  now: () => Date;
  publicUrl: string;
  config: Pick<Config, "signups"> & { mail: Pick<Config["mail"], "rightsByEmail"> };
}
