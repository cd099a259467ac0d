import type { Generated } from "kysely";

/** Second factors and recovery codes, the installation and the links that claim it. */
export interface AccountTables {
  instance: { id: Generated<boolean>; signups: string };
  claims: { hash: Buffer; expires_at: Date };
  factors: {
    user_id: string;
    secret: string;
    last_step: number;
    created_at: Date;
    confirmed_at: Date | null;
  };
  recovery_codes: { user_id: string; hash: Buffer };
}
