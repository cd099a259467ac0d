import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { Endpoint } from "../endpoints/store.ts";
import { type DeliveryRow, lockQueues } from "./store.ts";

/** Limit of one creator's endpoints on lease at a time, so that nobody takes all of a node's capacity. */
const CREATOR_MAX = 256;
/** Due endpoints ranked for one claim, the first due: it may not slow down with the length of the queue. */
const RANKED_MAX = 1_000;

/** Claims endpoints with due deliveries until the lease ends; creators with the fewest leases first. */
export async function claimEndpoints(
  db: Db,
  { now, until, except, max }: { now: Date; until: Date; except: readonly string[]; max: number },
): Promise<Endpoint[]> {
  const isFree = sql`w.enabled AND w.due_at <= ${now} AND (w.leased_until IS NULL OR w.leased_until <= ${now})
    AND w.id <> ALL (${sql.val([...except])}::text[])`;
  const { rows } = await sql<Endpoint>`
    WITH leased AS MATERIALIZED (
      SELECT created_by, count(*) AS leases FROM webhooks WHERE leased_until > ${now} GROUP BY created_by
    ), due AS MATERIALIZED (
      SELECT id FROM (
        SELECT w.id, w.due_at, coalesce(l.leases, 0) + row_number() OVER (PARTITION BY w.created_by ORDER BY w.due_at) AS leases
        FROM (
          SELECT w.id, w.due_at, w.created_by FROM webhooks w
          WHERE ${isFree} AND NOT EXISTS (
            SELECT FROM leased f WHERE f.created_by = w.created_by AND f.leases >= ${sql.lit(CREATOR_MAX)})
          ORDER BY w.due_at LIMIT ${sql.lit(RANKED_MAX)}) w
        LEFT JOIN leased l USING (created_by)) ranked
      WHERE leases <= ${sql.lit(CREATOR_MAX)} ORDER BY leases, due_at LIMIT ${max}
    ), claimed AS (
      SELECT w.id FROM webhooks w WHERE w.id IN (SELECT id FROM due) AND ${isFree} FOR NO KEY UPDATE SKIP LOCKED)
    UPDATE webhooks SET leased_until = ${until} WHERE id IN (SELECT id FROM claimed) RETURNING *`.execute(
    db,
  );
  return rows;
}

/** The columns of a delivery that sending needs, with the document that it is about. */
export type DueRow = Pick<
  DeliveryRow,
  | "id"
  | "webhook_id"
  | "event"
  | "event_id"
  | "project_id"
  | "consent_id"
  | "attempts"
  | "bytes_max"
  | "created_at"
> & { about: string | null };

/**
 * Pending deliveries without an earlier one of the same key. One walk through an index, since checking each pair would
 * be quadratic.
 */
const firstsOf = (webhookId: RawBuilder<unknown>) => sql`(
  SELECT DISTINCT ON (order_key) * FROM webhook_deliveries
  WHERE webhook_id = ${webhookId} AND next_at IS NOT NULL ORDER BY order_key, id)`;

/** Due deliveries of these endpoints, the oldest of each key, at most `limit` of each endpoint. */
export async function listDue(
  db: Db,
  { webhookIds, now, limit }: { webhookIds: readonly string[]; now: Date; limit: number },
): Promise<DueRow[]> {
  const { rows } = await sql<DueRow>`
    SELECT due.*, coalesce(due.project_id, e.document_id) AS about
    FROM unnest(${sql.val([...webhookIds])}::text[]) AS w(id) CROSS JOIN LATERAL (
      SELECT d.id, d.webhook_id, d.event, d.event_id, d.project_id, d.consent_id, d.attempts, d.bytes_max, d.created_at
      FROM ${firstsOf(sql`w.id`)} d
      WHERE d.next_at <= ${now} ORDER BY d.id LIMIT ${limit}) due
    LEFT JOIN events e ON e.id = due.event_id
    ORDER BY due.id`.execute(db);
  return rows;
}

/** The end of a lease. */
export interface Release {
  id: string;
  leasedUntil: Date;
  /** Batches that failed in a row. */
  failures: number;
  backoffUntil: Date | null;
  hasSucceeded: boolean;
  failedAt: Date | null;
}

/**
 * Ends leases, unless they expired and another node has claimed the endpoint. An endpoint without pending deliveries
 * does not count as failing: nothing would show that it has recovered. Returns the ids of those due again.
 */
export async function releaseEndpoints(
  tx: Tx,
  releases: readonly Release[],
  now: Date,
): Promise<string[]> {
  // The next statement sees every delivery that was inserted before the lock.
  await lockQueues(
    tx,
    releases.map(({ id }) => id),
  );
  const values = <T>(of: (release: Release) => T) => sql.val(releases.map(of));
  const failingSince = sql`CASE WHEN NOT r.has_succeeded AND n.next_at IS NOT NULL
    THEN coalesce(w.failing_since, r.failed_at) END`;
  const { rows } = await sql<{ id: string; isDue: boolean | null }>`
    UPDATE webhooks w SET leased_until = NULL, failures = r.failures, rests_until = r.rests_until,
      due_at = CASE WHEN w.enabled AND n.next_at IS NOT NULL THEN greatest(n.next_at, r.rests_until) END,
      failing_since = ${failingSince},
      version = w.version + ((${failingSince} IS NULL) <> (w.failing_since IS NULL))::integer
    FROM unnest(${values((r) => r.id)}::text[], ${values((r) => r.leasedUntil)}::timestamptz[],
      ${values((r) => r.failures)}::integer[], ${values((r) => r.backoffUntil)}::timestamptz[],
      ${values((r) => r.hasSucceeded)}::boolean[], ${values((r) => r.failedAt)}::timestamptz[])
      AS r(id, leased_until, failures, rests_until, has_succeeded, failed_at)
    CROSS JOIN LATERAL (SELECT min(d.next_at) AS next_at FROM ${firstsOf(sql`r.id`)} d) n
    WHERE w.id = r.id AND w.leased_until = r.leased_until
    RETURNING w.id, w.due_at <= ${now} AS "isDue"`.execute(tx);
  return rows.flatMap(({ id, isDue }) => (isDue === true ? id : []));
}
