import type { JsonObject } from "@avow/contract/json";
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from "kysely";
import type { AccountTables } from "./tables-accounts.ts";
import type { DataTables, IdempotencyKeysTable, Json } from "./tables-data.ts";
import type { ReviewTables } from "./tables-reviews.ts";

/** Optional on insert, then null. */
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;

export interface UsersTable {
  id: string;
  username: string;
  /** Null when the user's provider returned none. */
  email: string | null;
  display_name: string;
  first_name: string | null;
  last_name: string | null;
  created_at: Date;
  last_seen_at: Date;
  email_verified_at: Date | null;
  /** Null: the account is open. */
  disabled_at: Date | null;
  /** Null: no operator. */
  operator_at: Date | null;
}

export interface DocumentsTable {
  id: string;
  resource: string;
  project_id: string | null;
  organization_id: string | null;
  /** The document with its keys in the order in which they were sent. */
  body: JSONColumnType<JsonObject>;
  /** The same as jsonb, for filters and sorting; only in conditions, never read. */
  body_jsonb: GeneratedAlways<JsonObject>;
  version: number;
  published_at: Date | null;
  live_version: number | null;
  created_at: Date;
  created_by: string;
  updated_at: Date;
  updated_by: string;
  deleted_at: Date | null;
}

interface InheritedDocumentsTable {
  document_id: string;
  project_id: string;
  template_id: string;
  template_document_id: string;
  template_version: number;
  overrides: string[];
}

export interface TemplatePublicationsTable {
  id: string;
  template_id: string;
  status: string;
  created_at: Date;
  created_by: string;
  updated_at: Date;
  ended_at: Date | null;
}

export interface TemplatePublicationSitesTable {
  publication_id: string;
  project_id: string;
  title: string;
  status: string;
  attempts: Generated<number>;
  retry_at: Date | null;
  publish_job_id: string | null;
  message: string | null;
  report: Json<unknown> | null;
  ended_at: Date | null;
}

export interface ScansTable {
  id: string;
  project_id: string;
  status: string;
  cause: string;
  url: string;
  pages_max: number;
  version: number | null;
  hash: string | null;
  progress: Json<unknown> | null;
  result: string | null;
  result_hash: string | null;
  message: string | null;
  created_at: Date;
  created_by: string;
  started_at: Date | null;
  ended_at: Date | null;
}

export interface PublishJobsTable {
  id: string;
  project_id: string;
  environment: string;
  rollback_of: number | null;
  status: string;
  step: string;
  steps: Json<unknown>;
  message: string | null;
  content: string | null;
  hash: string | null;
  size: number | null;
  version: number | null;
  created_at: Date;
  created_by: string;
  started_at: Date | null;
  updated_at: Date;
  ended_at: Date | null;
  forced: Generated<boolean>;
  force_reason: string | null;
  overridden: Json<unknown> | null;
  publish_at: Date | null;
  unchanged: Generated<boolean>;
  files: Json<unknown> | null;
  asks_again: Json<unknown> | null;
  selection: Json<unknown> | null;
  strict: Generated<boolean>;
  results: Json<unknown> | null;
}

export interface AssetsTable {
  id: string;
  sha256: string;
  original_name: string;
  type: string;
  reported_type: string;
  size: number;
  width: number | null;
  height: number | null;
  pages: number | null;
  dominant_color: string | null;
  created_at: Date;
  created_by: string;
}

export interface WebhooksTable {
  id: string;
  project_id: string | null;
  url: string;
  events: string[];
  collection: string | null;
  identifier: string | null;
  headers: Buffer;
  secrets: Buffer;
  enabled: boolean;
  disabled_because: string | null;
  failing_since: Date | null;
  delivers_from: Date;
  language: string;
  disabled_notified_at: Date | null;
  version: number;
  created_at: Date;
  created_by: string;
  updated_at: Date;
  due_at: Date | null;
  leased_until: Date | null;
  rests_until: Date | null;
  failures: Generated<number>;
  pending: Generated<number>;
  position: number | null;
  leaf: number | null;
  fed_at: Date | null;
}

export interface WebhookDeliveriesTable {
  id: Generated<number>;
  webhook_id: string;
  event: string;
  event_id: number | null;
  project_id: string | null;
  consent_id: string | null;
  collection: string | null;
  identifier: string | null;
  order_key: number;
  status: string;
  next_at: Date | null;
  attempts: Generated<number>;
  bytes_max: Generated<number>;
  tried: ColumnType<unknown, string | undefined, string>;
  created_at: Date;
  ended_at: Date | null;
}

interface WebhookAnswersTable {
  id: Generated<number>;
  webhook_id: string;
  delivery_id: number;
  request_id: string;
  answer: string;
}

/** The tables of the control plane, after the migrations. */
export interface ControlTables extends AccountTables, ReviewTables {
  users: UsersTable;
  logins: { name: string; user_id: string };
  identities: {
    provider: string;
    subject: string;
    user_id: string;
    password_hash: string | null;
    created_at: Date;
    label: string | null;
  };
  access_tokens: {
    id: string;
    hash: Buffer;
    user_id: string;
    label: string;
    created_at: Date;
    last_used_at: Date;
    expires_at: Date | null;
    scopes: string[] | null;
    project_id: string | null;
    confirmed_at: Nullable<Date>;
  };
  one_time_tokens: {
    hash: Buffer;
    purpose: string;
    user_id: string;
    email: string | null;
    data: string | null;
    created_at: Date;
    expires_at: Date;
  };
  invitations: {
    id: string;
    hash: Buffer;
    email: string;
    display_name: string | null;
    collection: string;
    document_id: string;
    role: string;
    invited_by: string;
    created_at: Date;
    expires_at: Date;
    is_bound: boolean;
  };
  project_transfers: {
    id: string;
    hash: Buffer | null;
    project_id: string;
    email: string | null;
    organization_id: string | null;
    offered_by: string;
    created_at: Date;
    expires_at: Date;
  };
  brand_domains: {
    organization_id: string;
    host: string;
    checked_at: Date;
    fault: string | null;
  };
  plain_counters: { event_id: number; position: number; delivery_id: number; leaf: number };
  signin_failures: { key: Buffer; failures: number; expires_at: Date };
  signin_addresses: { key: Buffer; expires_at: Date };
  documents: DocumentsTable;
  document_users: {
    document_id: string;
    user_id: string;
    roles: string[];
    added_at: Date;
    is_disclosed: boolean;
  };
  document_versions: {
    document_id: string;
    version: number;
    operation: string;
    body: JSONColumnType<JsonObject>;
    created_at: Date;
    created_by: string;
  };
  subscriptions: {
    organization_id: string;
    plan: string;
    status: string;
    current_period_end: Date | null;
    updated_at: Date;
    customer_id: Nullable<string>;
    unpaid_since: Nullable<Date>;
    cancels_at: Nullable<Date>;
  };
  payment_customers: {
    organization_id: string;
    mode: string;
    customer_id: Nullable<string>;
    ordinal: Generated<number>;
    looks: Generated<number>;
    written_look: Generated<number>;
    looked_at: Nullable<Date>;
    created_at: Date;
  };
  payment_events: { id: string; type: string; created_at: Date };
  publish_jobs: PublishJobsTable;
  tcf_vendor_lists: { version: number; list: Json<unknown>; fetched_at: Date; checked_at: Date };
  tcf_translations: { language: string; texts: Json<unknown>; fetched_at: Date };
  inherited_documents: InheritedDocumentsTable;
  template_publications: TemplatePublicationsTable;
  template_publication_sites: TemplatePublicationSitesTable;
  scans: ScansTable;
  publications: {
    project_id: string;
    environment: string;
    version: number;
    hash: string;
    size: number;
    content: string;
    job_id: string;
    published_at: Date;
    published_by: string;
    overridden: Json<unknown> | null;
    asks_again: Json<unknown> | null;
    approval: Json<unknown> | null;
  };
  assets: AssetsTable;
  asset_renders: {
    sha256: string;
    digest: string;
    type: string;
    size: number;
    hash: string;
    created_at: Date;
    /** Accurate to an hour. */
    used_at: Date;
  };
  events: {
    id: Generated<number>;
    name: string;
    actor: string;
    project_id: string | null;
    document_id: string | null;
    request_id: string | null;
    data: Json<unknown>;
    created_at: Date;
    token_id: string | null;
    network: string | null;
    organization_id: string | null;
  };
  event_queue: { event_id: number };
  webhook_head: { id: number; position: number; leaf: number };
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhook_answers: WebhookAnswersTable;
  idempotency_keys: IdempotencyKeysTable;
}

/** The rows of all tables. */
export type Tables = ControlTables & DataTables;
