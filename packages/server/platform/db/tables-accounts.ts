import type { Generated } from "kysely";

/** Second factors and recovery codes, the installation and the links that claim it, and rules of projects for erasures. */
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
  /** Projects whose erasures a second person confirms. */
  erasure_rules: { project_id: string; changed_by: string; changed_at: Date };
  recovery_codes: { user_id: string; hash: Buffer };
}
