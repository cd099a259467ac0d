import type { Db } from "../../../platform/db/db.ts";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import type { Outbox } from "../mails/outbox.ts";

/** Dependencies of the routes that confirm e-mail addresses. */
export interface AddressesApp {
  db: Db;
  now: () => Date;
  publicUrl: string;
  config: { http: { redirectUrls: readonly string[] } };
  limiter: RateLimiter;
  outbox: Outbox;
}
