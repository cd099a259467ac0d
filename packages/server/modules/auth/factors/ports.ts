import type { Db } from "../../../platform/db/db.ts";
import type { Sealer } from "../../../platform/crypto/sealing.ts";
import type { SigninAttempts } from "../limits/signin-attempts.ts";
import type { Outbox } from "../mails/outbox.ts";

/** Dependencies of checking the codes of second factors. */
export interface FactorChecks {
  db: Db;
  attempts: SigninAttempts;
  /** Seals the secrets of second factors. */
  factorSealer: Sealer;
  log: { warn(fields: object, message: string): void };
}

/** Dependencies of the routes of second factors. */
export interface FactorsApp extends FactorChecks {
  now: () => Date;
  publicUrl: string;
  outbox: Outbox;
}
