import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { DeliveryRow, DeliveryStatus } from "./store.ts";

/** A delivery of an endpoint, with the document it is about. */
export async function findDelivery(
  db: Db | Tx,
  { webhookId, id }: { webhookId: string; id: number },
): Promise<(DeliveryRow & { about: string | null }) | undefined> {
  const { rows } = await sql<DeliveryRow & { about: string | null }>`
    SELECT d.*, coalesce(d.project_id, e.document_id) AS about
    FROM webhook_deliveries d LEFT JOIN events e ON e.id = d.event_id
    WHERE d.webhook_id = ${webhookId} AND d.id = ${id}`.execute(db);
  return rows[0];
}

/** Characters of each response in a list, to bound the memory of a page. */
const LISTED_LENGTH_MAX = 500;
const listedAttempts = sql`(
  SELECT coalesce(jsonb_agg(t.one || jsonb_build_object('answer', left(t.one ->> 'answer', ${sql.lit(LISTED_LENGTH_MAX)}))
    ORDER BY t.at), '[]')
  FROM jsonb_array_elements(tried) WITH ORDINALITY AS t(one, at))`;

export interface DeliveriesQuery {
  webhookId: string;
  before: number | undefined;
  limit: number;
  filters: {
    status: DeliveryStatus | undefined;
    event: string | undefined;
    projectId: string | undefined;
    collection: string | undefined;
    identifier: string | undefined;
  };
}

/** An endpoint's deliveries before the id `before`, the newest first. */
export async function listDeliveries(
  db: Db,
  { webhookId, before, limit, filters }: DeliveriesQuery,
): Promise<DeliveryRow[]> {
  const { status, event, projectId, collection, identifier } = filters;
  const given = Object.entries({ event, project_id: projectId, collection, identifier });
  const wanted = given.flatMap(([column, value]) =>
    value === undefined ? [] : sql`AND ${sql.ref(column)} = ${value}`,
  );
  const { rows } = await sql<DeliveryRow>`
    SELECT id, webhook_id, event, event_id, project_id, consent_id, collection, identifier, order_key, status, next_at,
      attempts, bytes_max, created_at, ended_at, ${listedAttempts} AS tried
    FROM webhook_deliveries WHERE webhook_id = ${webhookId}
      ${before === undefined ? sql`` : sql`AND id < ${before}`}
      ${status === undefined ? sql`` : toStatusFilter(status)}
      ${sql.join(wanted, sql` `)}
    ORDER BY id DESC LIMIT ${limit}`.execute(db);
  return rows;
}

/** Literal conditions, so that the partial indexes match. */
function toStatusFilter(status: DeliveryStatus) {
  if (status === "pending") return sql`AND next_at IS NOT NULL`;
  return sql`AND status = ${sql.lit(status)}`;
}

/** Long responses to a delivery's attempts, by request id. */
export async function listAnswers(
  db: Db | Tx,
  deliveryId: number,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ requestId: string; answer: string }>`
    SELECT request_id AS "requestId", answer FROM webhook_answers WHERE delivery_id = ${deliveryId}`.execute(
    db,
  );
  return new Map(rows.map(({ requestId, answer }) => [requestId, answer]));
}

/** Deletes up to `max` old deliveries, pending ones included. Returns how many. */
export async function deleteDeliveriesBefore(
  tx: Tx,
  { delivered, before, max }: { delivered: Date; before: Date; max: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    WITH old AS (
      DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(
        SELECT id FROM webhook_deliveries
        WHERE created_at < ${delivered} AND (status = 'delivered' OR created_at < ${before})
        LIMIT ${max} FOR UPDATE SKIP LOCKED))
      RETURNING webhook_id, next_at
    ), dequeued AS (
      UPDATE webhooks w SET pending = w.pending - c.pending
      FROM (SELECT webhook_id, count(next_at)::integer AS pending FROM old GROUP BY webhook_id) c
      WHERE w.id = c.webhook_id AND c.pending > 0
    )
    SELECT count(*) AS count FROM old`.execute(tx);
  return rows[0]?.count ?? 0;
}
