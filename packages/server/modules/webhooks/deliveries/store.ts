import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { WebhookDeliveriesTable } from "../../../platform/db/tables.ts";
import type { Attempt } from "./request.ts";

export type DeliveryStatus = "pending" | "delivered" | "parked" | "cancelled";

export type DeliveryRow = Omit<Selectable<WebhookDeliveriesTable>, "tried" | "status"> & {
  tried: Attempt[];
  status: DeliveryStatus;
};

export interface NewDelivery {
  webhookId: string;
  event: string;
  eventId: number | null;
  projectId: string | null;
  consentId: string | null;
  collection: string | null;
  identifier: string | null;
  /** Deliveries with one key are sent in order. */
  orderKey: number;
  /** Upper bound of the body's size. */
  bytesMax: number;
}

/** Attempts kept of one delivery. */
const ATTEMPTS_KEPT = 20;
/** Long responses kept of one endpoint, the newest: 6.25 MiB at most. */
const ANSWERS_KEPT = 100;

/** Locks endpoints in one order, so that writers of their queues do not deadlock. */
export async function lockQueues(tx: Tx, webhookIds: readonly string[]): Promise<void> {
  await sql`
    SELECT id FROM webhooks WHERE id = ANY (${sql.val([...new Set(webhookIds)])}::text[])
    ORDER BY id FOR NO KEY UPDATE`.execute(tx);
}

/** Inserts deliveries in this order, due now. Returns their ids. */
export async function insertDeliveries(
  tx: Tx,
  deliveries: readonly NewDelivery[],
  now: Date,
): Promise<number[]> {
  if (deliveries.length === 0) return [];
  const webhookIds = deliveries.map(({ webhookId }) => webhookId);
  await lockQueues(tx, webhookIds);
  const values = <T>(of: (delivery: NewDelivery) => T) => sql.val(deliveries.map(of));
  const { rows } = await sql<{ id: number }>`
    WITH new AS (
      SELECT * FROM unnest(${sql.val(webhookIds)}::text[], ${values((d) => d.event)}::text[],
        ${values((d) => d.eventId)}::bigint[], ${values((d) => d.projectId)}::text[],
        ${values((d) => d.consentId)}::uuid[], ${values((d) => d.collection)}::text[],
        ${values((d) => d.identifier)}::text[], ${values((d) => d.orderKey)}::integer[],
        ${values((d) => d.bytesMax)}::integer[])
        WITH ORDINALITY AS n(webhook_id, event, event_id, project_id, consent_id, collection, identifier, order_key,
          bytes_max, at)
    ), queued AS (
      UPDATE webhooks w SET pending = w.pending + c.count,
        due_at = least(w.due_at, greatest(${now}::timestamptz, w.rests_until))
      FROM (SELECT webhook_id, count(*)::integer AS count FROM new GROUP BY webhook_id) c
      WHERE w.id = c.webhook_id
    )
    INSERT INTO webhook_deliveries (webhook_id, event, event_id, project_id, consent_id, collection, identifier,
      order_key, bytes_max, status, next_at, created_at)
    SELECT webhook_id, event, event_id, project_id, consent_id, collection, identifier, order_key, bytes_max, 'pending',
      ${now}::timestamptz, ${now}
    FROM new ORDER BY at
    RETURNING id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** The result of one attempt, or of a delivery that needed none. */
export interface Outcome {
  id: number;
  webhookId: string;
  status: DeliveryStatus;
  nextAt: Date | null;
  /** Undefined where nothing was sent. */
  attempt?: Attempt;
  /** The attempt does not count: the receiver asked for a later one. */
  isFree?: boolean;
  /** A failure's response that is longer than the attempt's part of it. */
  longAnswer?: string | undefined;
}

const newestAttempts = (tried: RawBuilder<unknown>) => sql`
  CASE WHEN jsonb_array_length(${tried}) <= ${sql.lit(ATTEMPTS_KEPT)} THEN ${tried} ELSE (
    SELECT jsonb_agg(t.one ORDER BY t.at) FROM jsonb_array_elements(${tried}) WITH ORDINALITY AS t(one, at)
    WHERE t.at > jsonb_array_length(${tried}) - ${sql.lit(ATTEMPTS_KEPT)}) END`;

/** Writes outcomes, except of deliveries that ended in the meantime. */
export async function updateOutcomes(
  tx: Tx,
  outcomes: readonly Outcome[],
  now: Date,
): Promise<void> {
  await lockQueues(
    tx,
    outcomes.map(({ webhookId }) => webhookId),
  );
  const values = <T>(of: (outcome: Outcome) => T) => sql.val(outcomes.map(of));
  await sql`
    WITH given AS (
      SELECT * FROM unnest(${values((o) => o.id)}::bigint[], ${values((o) => o.status)}::text[],
        ${values((o) => o.nextAt)}::timestamptz[],
        ${values((o) => JSON.stringify(o.attempt ? [o.attempt] : []))}::jsonb[],
        ${values((o) => (o.attempt && !o.isFree ? 1 : 0))}::integer[]) AS g(id, status, next_at, tried, counted)
    ), done AS (
      UPDATE webhook_deliveries d SET status = g.status, next_at = g.next_at,
        attempts = d.attempts + g.counted, tried = ${newestAttempts(sql`d.tried || g.tried`)},
        ended_at = CASE WHEN g.next_at IS NULL THEN ${now}::timestamptz END,
        consent_id = CASE WHEN g.status = 'cancelled' THEN NULL ELSE d.consent_id END
      FROM given g WHERE d.id = g.id AND d.next_at IS NOT NULL
      RETURNING d.webhook_id, d.next_at
    )
    UPDATE webhooks w SET pending = w.pending - c.count
    FROM (SELECT webhook_id, count(*)::integer AS count FROM done WHERE next_at IS NULL GROUP BY webhook_id) c
    WHERE w.id = c.webhook_id`.execute(tx);
  await insertAnswers(
    tx,
    outcomes.filter(({ longAnswer }) => longAnswer !== undefined),
  );
}

/** Keeps long responses, except of erased records, and deletes older ones of the same endpoints. */
async function insertAnswers(tx: Tx, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  const values = <T>(of: (outcome: Outcome) => T) => sql.val(outcomes.map(of));
  const webhookIds = sql.val([...new Set(outcomes.map(({ webhookId }) => webhookId))]);
  await sql`
    INSERT INTO webhook_answers (webhook_id, delivery_id, request_id, answer)
    SELECT a.* FROM unnest(${values((o) => o.webhookId)}::text[], ${values((o) => o.id)}::bigint[],
      ${values((o) => o.attempt?.requestId)}::uuid[], ${values((o) => o.longAnswer)}::text[])
      AS a(webhook_id, delivery_id, request_id, answer)
    JOIN webhook_deliveries d ON d.id = a.delivery_id AND d.status <> 'cancelled'`.execute(tx);
  await sql`
    DELETE FROM webhook_answers a USING unnest(${webhookIds}::text[]) AS w(id)
    WHERE a.webhook_id = w.id AND a.id <= (
      SELECT o.id FROM webhook_answers o WHERE o.webhook_id = w.id ORDER BY o.id DESC OFFSET ${ANSWERS_KEPT} LIMIT 1)`.execute(
    tx,
  );
}

/** Makes a pending or ended delivery due now, with all its attempts before it. */
export async function updateRetried(
  tx: Tx,
  { id, webhook_id: webhookId }: Pick<DeliveryRow, "id" | "webhook_id">,
  now: Date,
): Promise<void> {
  await lockQueues(tx, [webhookId]);
  await sql`
    WITH before AS (SELECT next_at FROM webhook_deliveries WHERE id = ${id}), queued AS (
      UPDATE webhooks SET pending = pending + (SELECT (next_at IS NULL)::integer FROM before),
        due_at = least(due_at, ${now}), rests_until = NULL, failures = 0
      WHERE id = ${webhookId}
    )
    UPDATE webhook_deliveries SET status = 'pending', next_at = ${now}, attempts = 0, ended_at = NULL
    WHERE id = ${id}`.execute(tx);
}

/** An event of the audit trail, as bodies need it. */
export interface EventRow {
  id: number;
  project_id: string | null;
  document_id: string | null;
  data: Record<string, unknown>;
  created_at: Date;
}

export async function listEvents(db: Db | Tx, ids: readonly number[]): Promise<EventRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<EventRow>`
    SELECT id, project_id, document_id, data, created_at FROM events
    WHERE id = ANY (${sql.val([...ids])}::bigint[])`.execute(db);
  return rows;
}
