import type { ColumnType, Generated } from "kysely";
import type { PersonTables } from "./tables-persons.ts";

/** Written as JSON text, read as the parsed value. */
export type Json<T> = ColumnType<T, string, string>;

/** Each plane has this table: an answer is stored in the transaction of its write. */
export interface IdempotencyKeysTable {
  hash: Buffer;
  request_hash: Buffer;
  answer: Buffer | null;
  created_at: Date;
}

export interface ConsentsTable {
  project_id: string;
  id: string;
  token: string;
  collection: string;
  identifier: string;
  accept: boolean;
  choice: number | null;
  answers: Json<unknown> | null;
  preferences: ColumnType<unknown, string | null, never>;
  value: ColumnType<unknown, string | null, never>;
  language: string | null;
  url: string | null;
  client_at: Date | null;
  country: string | null;
  user_agent: string;
  version: number | null;
  warnings: ColumnType<unknown, string | null, never>;
  import_id: string | null;
  created_at: Date;
  grade: string | null;
  gpc: boolean | null;
  displayed_at: Date | null;
}

interface ArchivedObjectsTable {
  project_id: string;
  key: string;
  /** The first day of the month, as text. */
  month: string;
  first_id: string;
  last_id: string;
  rows: number;
  bytes: number;
  sha256: Buffer;
  footer_bytes: number;
  footer_sha256: Buffer;
  copied_at: Date;
  moved_at: Date | null;
  restored_at: Date | null;
}

interface ConsentStatesTable {
  project_id: string;
  token: string;
  identifier: string;
  collection: string;
  choice: number | null;
  items: Json<unknown> | null;
  since: Date;
  consent_id: string;
  version: number | null;
  first_seen_at: Date;
  consents: number;
}

/** A superseded state. */
interface PastStatesTable extends Omit<ConsentStatesTable, "first_seen_at" | "consents"> {
  until_id: string;
}

export interface ExportsTable {
  project_id: string;
  id: string;
  format: string;
  filters: Json<unknown>;
  after_id: string | null;
  from_id: string | null;
  to_id: string;
  state: string;
  first_id: string | null;
  last_id: string | null;
  count: number;
  size: number;
  sha256: string | null;
  stretches: Json<unknown>;
  created_at: Date;
  created_by: string;
  ended_at: Date | null;
  log_checkpoint: string | null;
}

/** The tables of the data plane, after the migrations: consents, their evidence and what is counted of them. */
export interface DataTables extends PersonTables {
  offers: {
    project_id: string;
    version: number;
    identifier: string;
    item: string;
    collection: string;
    name: string;
    substance: string;
    required: boolean;
    expires_after_days: number | null;
    agreed: Json<unknown> | null;
    covers: Generated<string[]>;
  };
  consents: ConsentsTable;
  choices: {
    project_id: string;
    identifier: string;
    choice: number;
    digest: string;
    items: Json<unknown>;
  };
  consent_keys: {
    project_id: string;
    key: Buffer;
    digest: Buffer | null;
    consent_id: string;
    expires_at: Date;
  };
  consent_states: ConsentStatesTable;
  past_states: PastStatesTable;
  exports: ExportsTable;
  log_heads: {
    id: number;
    origin: string;
    size: number;
    checkpoint: string;
    keys: string[];
    signed_at: Date;
    timeline: string | null;
    stopped_reason: string | null;
    placing_bucket: string | null;
  };
  log_tiles: { level: number; number: number; hashes: Buffer };
  erased_consents: { project_id: string; consent_id: string };
  archived_objects: ArchivedObjectsTable;
  archived_erasures: {
    project_id: string;
    consent_id: string;
    was_live: boolean;
    forget_after: Date | null;
  };
  archive_garbage: { key: string; delete_after: Date };
  /** `month` as text. */
  archive_pauses: { month: string; until: Date };
  /** Whether the consents of a project can be collected, as the control plane said last. */
  collecting_projects: {
    project_id: string;
    /** Null: not published. */
    live_version: number | null;
    is_open: boolean;
    /** That of the project's document; an older one never replaces a newer one. */
    epoch: number;
  };
  idempotency_keys: IdempotencyKeysTable;
}
