import type { Db } from "../../../platform/db/db.ts";
import type { SigninAttempts } from "../limits/signin-attempts.ts";

/** Dependencies of the routes that list, start and end sessions. */
export interface SessionsApp {
  db: Db;
  now: () => Date;
  publicUrl: string;
  attempts: SigninAttempts;
}
