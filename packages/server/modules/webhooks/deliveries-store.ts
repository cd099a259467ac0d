import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../platform/db/db.ts";
import type { WebhookDeliveriesTable } from "../../platform/db/tables.ts";
import type { Attempt } from "./attempts.ts";
import type { NewDelivery } from "./subscriptions.ts";

export type DeliveryStatus = "pending" | "delivered" | "parked" | "cancelled";

export type DeliveryRow = Omit<Selectable<WebhookDeliveriesTable>, "tried" | "status"> & {
  tried: Attempt[];
  status: DeliveryStatus;
};

/** So many tries of a delivery are kept. */
const TRIED_MAX = 20;

/** Locks the lanes of these webhooks, in one order for all who do. */
export function lockLanes(webhookIds: readonly string[]) {
  return sql`
    SELECT webhook_id FROM webhook_lanes WHERE webhook_id = ANY (${sql.val([...webhookIds])}::text[])
    ORDER BY webhook_id FOR UPDATE`;
}

/** Adds deliveries, in this order, to be sent at once. Answers their ids. */
export async function insertDeliveries(
  tx: Tx,
  deliveries: readonly NewDelivery[],
  now: Date,
): Promise<number[]> {
  if (deliveries.length === 0) return [];
  const webhookIds = deliveries.map(({ webhookId }) => webhookId);
  await lockLanes([...new Set(webhookIds)]).execute(tx);
  const texts = (of: (delivery: NewDelivery) => string | null) => sql.val(deliveries.map(of));
  const { rows } = await sql<{ id: number }>`
    WITH new AS (
      SELECT * FROM unnest(${sql.val(webhookIds)}::text[], ${texts((d) => d.event)}::text[],
        ${sql.val(deliveries.map((d) => d.eventId))}::bigint[], ${texts((d) => d.projectId)}::text[],
        ${texts((d) => d.consentId)}::uuid[], ${texts((d) => d.collection)}::text[],
        ${texts((d) => d.identifier)}::text[], ${sql.val(deliveries.map((d) => d.orderKey))}::integer[],
        ${sql.val(deliveries.map((d) => d.bytesMax))}::integer[])
        WITH ORDINALITY AS n(webhook_id, event, event_id, project_id, consent_id, collection, identifier, order_key,
          bytes_max, at)
    ), lanes AS (
      UPDATE webhook_lanes l SET pending = l.pending + c.count, 
        due_at = least(l.due_at, greatest(${now}::timestamptz, l.rests_until))
      FROM (SELECT webhook_id, count(*)::integer AS count FROM new GROUP BY webhook_id) c
      WHERE l.webhook_id = c.webhook_id
    )
    INSERT INTO webhook_deliveries (webhook_id, event, event_id, project_id, consent_id, collection, identifier,
      order_key, bytes_max, status, next_at, created_at)
    SELECT webhook_id, event, event_id, project_id, consent_id, collection, identifier, order_key, bytes_max, 'pending',
      ${now}::timestamptz, ${now}
    FROM new ORDER BY at
    RETURNING id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** What of a delivery its sending needs. */
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
>;

/**
 * What is to be sent to these webhooks now, `limit` for each at most: of those with one key only the first that
 * is not done with, so that they stay in order.
 */
export async function listDue(
  db: Db,
  { webhookIds, now, limit }: { webhookIds: readonly string[]; now: Date; limit: number },
): Promise<DueRow[]> {
  const { rows } = await sql<DueRow>`
    SELECT due.* FROM unnest(${sql.val([...webhookIds])}::text[]) AS w(id) CROSS JOIN LATERAL (
      SELECT d.id, d.webhook_id, d.event, d.event_id, d.project_id, d.consent_id, d.attempts, d.bytes_max, d.created_at
      FROM ${firstsOf(sql`w.id`)} d
      WHERE d.next_at <= ${now} ORDER BY d.id LIMIT ${limit}) due`.execute(db);
  return rows;
}

/**
 * Of a webhook's deliveries that wait, those before which no other with the same key has to be sent. One walk through
 * an index: asked of each whether there is one before it, a visitor's thousand answers would be a million questions.
 */
export function firstsOf(webhookId: RawBuilder<unknown>) {
  return sql`(
    SELECT DISTINCT ON (order_key) * FROM webhook_deliveries
    WHERE webhook_id = ${webhookId} AND next_at IS NOT NULL ORDER BY order_key, id)`;
}

/** What became of a try. */
export interface Outcome {
  id: number;
  webhookId: string;
  status: DeliveryStatus;
  nextAt: Date | null;
  /** Undefined where nothing was sent. */
  attempt: Attempt | undefined;
  /** It is none of the tries that it has: the receiver asked for later. */
  isFree?: boolean;
  /** What was answered, where it is longer than what the attempt keeps and worth keeping. */
  longAnswer?: string | undefined;
}

/** Of a list of tries the newest: a delivery that is retried again and again is one row still. */
function toNewest(tried: RawBuilder<unknown>) {
  return sql`CASE WHEN jsonb_array_length(${tried}) <= ${sql.lit(TRIED_MAX)} THEN ${tried} ELSE (
    SELECT jsonb_agg(t.one ORDER BY t.at) FROM jsonb_array_elements(${tried}) WITH ORDINALITY AS t(one, at)
    WHERE t.at > jsonb_array_length(${tried}) - ${sql.lit(TRIED_MAX)}) END`;
}

/** Keeps what became of tries. What somebody else has ended meanwhile stays as it is. */
export async function updateOutcomes(
  tx: Tx,
  outcomes: readonly Outcome[],
  now: Date,
): Promise<void> {
  await lockLanes([...new Set(outcomes.map(({ webhookId }) => webhookId))]).execute(tx);
  const tried = outcomes.map(({ attempt }) => JSON.stringify(attempt ? [attempt] : []));
  const uses = outcomes.map(({ attempt, isFree = false }) => (attempt && !isFree ? 1 : 0));
  await sql`
    WITH given AS (
      SELECT * FROM unnest(${sql.val(outcomes.map(({ id }) => id))}::bigint[],
        ${sql.val(outcomes.map(({ status }) => status))}::text[],
        ${sql.val(outcomes.map(({ nextAt }) => nextAt))}::timestamptz[],
        ${sql.val(tried)}::jsonb[], ${sql.val(uses)}::integer[]) AS g(id, status, next_at, tried, uses)
    ), done AS (
      UPDATE webhook_deliveries d SET status = g.status, next_at = g.next_at,
        attempts = d.attempts + g.uses, tried = ${toNewest(sql`d.tried || g.tried`)},
        ended_at = CASE WHEN g.next_at IS NULL THEN ${now}::timestamptz END,
        consent_id = CASE WHEN g.status = 'cancelled' THEN NULL ELSE d.consent_id END
      FROM given g WHERE d.id = g.id AND d.next_at IS NOT NULL
      RETURNING d.webhook_id, d.next_at
    )
    UPDATE webhook_lanes l SET pending = l.pending - c.count
    FROM (SELECT webhook_id, count(*)::integer AS count FROM done WHERE next_at IS NULL GROUP BY webhook_id) c
    WHERE l.webhook_id = c.webhook_id`.execute(tx);
}

/** Has a delivery that has ended, or waits, tried again at once. */
export async function updateRetried(
  tx: Tx,
  delivery: Pick<DeliveryRow, "id" | "webhook_id">,
  now: Date,
): Promise<void> {
  const { id, webhook_id: webhookId } = delivery;
  await lockLanes([webhookId]).execute(tx);
  await sql`
    WITH ended AS (SELECT next_at IS NULL AS ended FROM webhook_deliveries WHERE id = ${id}), lane AS (
      UPDATE webhook_lanes SET pending = pending + CASE WHEN (SELECT ended FROM ended) THEN 1 ELSE 0 END,
        due_at = least(due_at, ${now}), rests_until = NULL, failures = 0
      WHERE webhook_id = ${webhookId}
    )
    UPDATE webhook_deliveries SET status = 'pending', next_at = ${now}, attempts = 0, ended_at = NULL
    WHERE id = ${id}`.execute(tx);
}
