import type { Generated } from "kysely";

/**
 * Second factors and recovery codes, the installation and the links that claim it, rules of projects for erasures, and
 * notifications.
 */
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
  notifications: {
    user_id: string;
    event_id: number;
    kind: string;
    /** The project, or the organization. */
    document_id: string;
    created_at: Date;
    read_at: Date | null;
    /** `none`, `sent`, or `digest`: waits for the daily mail. */
    mail: string;
  };
  notification_head: { id: Generated<boolean>; position: number };
  notification_settings: {
    user_id: string;
    /** Null for a user who has chosen none. */
    language: string | null;
    time_zone: string;
    mails: Record<string, string>;
    muted: string[];
    weekly: string[];
    /** Days as YYYY-MM-DD. */
    digest_on: string | null;
    weekly_on: string | null;
    updated_at: Date;
  };
  recovery_codes: { user_id: string; hash: Buffer };
}
