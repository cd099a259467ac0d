import type { Jobs } from "../../../kernel/jobs.ts";
import type { Passwords } from "../../../platform/crypto/passwords.ts";
import type { IdentitiesApp } from "../identities/ports.ts";
import type { PasswordPolicy } from "./policy.ts";

/** Dependencies of the routes that check, change and reset passwords. */
export interface PasswordsApp extends IdentitiesApp {
  jobs: Pick<Jobs, "sendJob">;
  passwords: Passwords;
  policy: PasswordPolicy;
}
