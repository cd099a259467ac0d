import type { Config } from "../../config.ts";
import type { Db } from "../../platform/db/db.ts";
import type { Passwords } from "../../platform/passwords.ts";
import type { Attempts } from "./attempts.ts";

/** What the routes of this module are handed. */
export interface AuthApp {
  db: Db;
  now: () => Date;
  config: Pick<Config, "http">;
  passwords: Passwords;
  attempts: Attempts;
}
