/**
 * The tables of the data plane whose rows are of a project. Each bucket of projects has its own, in a schema that one
 * server holds. `DataTables` has their columns.
 */
const bucketPlaneTables: ReadonlySet<string> = new Set([
  "answer_counts",
  "answer_counts_head",
  "answer_days",
  "answer_groups",
  "archive_garbage",
  "archive_pauses",
  "archived_erasures",
  "archived_objects",
  "choices",
  "closed_pages",
  "collecting_projects",
  "consent_keys",
  "consent_queue",
  "consent_salts",
  "consent_states",
  "consents",
  "display_counts",
  "display_days",
  "erased_choices",
  "erased_consents",
  "erasure_proposals",
  "erasure_requests",
  "event_outbox",
  "exports",
  "imports",
  "log_placing",
  "log_placing_fence",
  "offers",
  "past_states",
  "person_links",
  "retention_walks",
]);

/** The tables of the data plane that all buckets share: their directory, and the transparency log. */
export const globalTables: ReadonlySet<string> = new Set([
  "buckets",
  "project_buckets",
  "nodes",
  "log_authorities",
  "log_cosignatures",
  "log_documents",
  "log_heads",
  "log_tiles",
  "log_timestamps",
  "log_witnessed",
  "log_witnesses",
]);

/** Tables that both planes have: an answer is stored in the transaction of its write. */
export const sharedTables: ReadonlySet<string> = new Set(["idempotency_keys"]);

/** All tables of a bucket. */
export const bucketTables: ReadonlySet<string> = new Set([...bucketPlaneTables, ...sharedTables]);

/** The tables of the data plane only. */
export const dataTables: ReadonlySet<string> = new Set([...bucketPlaneTables, ...globalTables]);
