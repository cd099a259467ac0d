import type { Generated } from "kysely";
import type { Json } from "./tables-data.ts";

/** The tables of the review of drafts. */
export interface ReviewTables {
  publish_job_approvals: {
    job_id: string;
    skips_approval: Generated<boolean>;
    approval: Json<unknown> | null;
  };
  review_settings: {
    project_id: string;
    required: number;
    approvers: string;
    links_count: boolean;
    updated_at: Date;
    updated_by: string;
  };
  review_requests: {
    project_id: string;
    id: string;
    digest: string;
    message: string | null;
    reviewers: string[];
    created_at: Date;
    created_by: string;
  };
  review_links: {
    id: string;
    hash: Buffer;
    project_id: string;
    recipient: string;
    may_comment: boolean;
    may_approve: boolean;
    created_at: Date;
    created_by: string;
    expires_at: Date;
    used_at: Generated<Date | null>;
    revoked_at: Generated<Date | null>;
  };
  review_decisions: {
    id: string;
    project_id: string;
    digest: string;
    decision: string;
    author_id: string | null;
    link_id: string | null;
    author_name: string | null;
    created_at: Date;
    withdrawn_at: Generated<Date | null>;
  };
  review_comments: {
    id: string;
    project_id: string;
    thread_id: string | null;
    configuration_id: string | null;
    pointer: string | null;
    excerpt: string | null;
    text: string;
    author_id: string | null;
    link_id: string | null;
    author_name: string | null;
    created_at: Date;
    edited_at: Generated<Date | null>;
    resolved_at: Generated<Date | null>;
    resolved_by: Generated<string | null>;
  };
}
