import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../../config/config.ts";
import type { Db } from "../../platform/db/db.ts";
import type { Jobs } from "../../kernel/jobs.ts";
import type { Passwords } from "../../platform/crypto/passwords.ts";
import type { Provider } from "../../platform/providers/provider.ts";
import type { Sealer } from "../../platform/crypto/sealing.ts";
import type { Asks } from "./limits/rate-limiter.ts";
import type { Attempts } from "./limits/signin-attempts.ts";
import type { InvitedTo } from "./invitations/invitations.ts";
import type { KeyProjects } from "./keys/keys.ts";
import type { Leaving } from "./accounts/delete-account.ts";
import type { Outbox } from "./mails/outbox.ts";
import type { PasswordPolicy } from "./passwords/policy.ts";
import type { Signups } from "./limits/limits.ts";

/** What the routes of this module are handed. */
export interface AuthApp {
  db: Db;
  now: () => Date;
  config: Pick<Config, "http" | "mail" | "passwords">;
  publicUrl: string;
  jobs: Pick<Jobs, "sendJob">;
  passwords: Passwords;
  policy: PasswordPolicy;
  attempts: Attempts;
  asks: Asks;
  signups: Signups;
  sealer: Sealer;
  /** Keeps the secrets of second factors. */
  factorSealer: Sealer;
  outbox: Outbox;
  /** What people are invited to: the vault's documents, which this module does not know. */
  invitedTo: InvitedTo;
  leaving: Leaving;
  keyProjects: KeyProjects;
  /** Whom people sign in with, by name. */
  providers: ReadonlyMap<string, Provider>;
  log: Pick<FastifyBaseLogger, "warn">;
}
