import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/db.ts";
import type { DeliveryRow, DeliveryStatus } from "./deliveries-store.ts";

/** A delivery of a webhook. */
export async function findDelivery(
  db: Db | Tx,
  { webhookId, id }: { webhookId: string; id: number },
): Promise<DeliveryRow | undefined> {
  const { rows } = await sql<DeliveryRow>`
    SELECT * FROM webhook_deliveries WHERE webhook_id = ${webhookId} AND id = ${id}`.execute(db);
  return rows[0];
}

/** In lists, of each answer so many characters: what was kept of a thousand deliveries would fill the memory. */
const LISTED_LENGTH_MAX = 500;
const listedTries = sql`(
  SELECT coalesce(jsonb_agg(t.one || jsonb_build_object('answer', left(t.one ->> 'answer', ${sql.lit(LISTED_LENGTH_MAX)}))
    ORDER BY t.at), '[]')
  FROM jsonb_array_elements(tried) WITH ORDINALITY AS t(one, at))`;

/** What a delivery is asked for by; all of it where nothing is said. */
export interface DeliveryFilters {
  status: DeliveryStatus | undefined;
  event: string | undefined;
  projectId: string | undefined;
  collection: string | undefined;
  identifier: string | undefined;
}

export interface DeliveriesAsked {
  webhookId: string;
  before: number | undefined;
  limit: number;
  filters: DeliveryFilters;
}

/** A webhook's deliveries, the newest first, before the id `before`; of answers the beginnings. */
export async function listDeliveries(
  db: Db,
  { webhookId, before, limit, filters }: DeliveriesAsked,
): Promise<DeliveryRow[]> {
  const { status, event, projectId, collection, identifier } = filters;
  const given = Object.entries({ event, project_id: projectId, collection, identifier });
  const wanted = given.flatMap(([column, value]) =>
    value === undefined ? [] : sql`AND ${sql.ref(column)} = ${value}`,
  );
  const { rows } = await sql<DeliveryRow>`
    SELECT id, webhook_id, event, event_id, project_id, consent_id, collection, identifier, order_key, status, next_at,
      attempts, bytes_max, created_at, ended_at, ${listedTries} AS tried
    FROM webhook_deliveries WHERE webhook_id = ${webhookId}
      ${before === undefined ? sql`` : sql`AND id < ${before}`}
      ${status === undefined ? sql`` : toStatusFilter(status)}
      ${sql.join(wanted, sql` `)}
    ORDER BY id DESC LIMIT ${limit}`.execute(db);
  return rows;
}

/** Written out, so that the indexes of those which wait and of those which ended otherwise are found. */
function toStatusFilter(status: DeliveryStatus) {
  if (status === "pending") return sql`AND next_at IS NOT NULL`;
  return sql`AND status = ${sql.lit(status)}`;
}

/**
 * Forgets deliveries that were made before `before`, at most `max`; those that still wait are given up.
 * Answers how many those were.
 */
export async function deleteDeliveriesBefore(
  tx: Tx,
  { delivered, before, max }: { delivered: Date; before: Date; max: number },
): Promise<number> {
  const { rows } = await sql<{ webhook_id: string; count: number; pending: number }>`
    WITH old AS (
      DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(
        SELECT id FROM webhook_deliveries
        WHERE created_at < ${delivered} AND (status = 'delivered' OR created_at < ${before})
        LIMIT ${max} FOR UPDATE SKIP LOCKED))
      RETURNING webhook_id, next_at
    ), counted AS (
      SELECT webhook_id, count(*)::integer AS count, count(next_at)::integer AS pending
      FROM old GROUP BY webhook_id
    ), lanes AS (
      UPDATE webhook_lanes l SET pending = l.pending - c.pending
      FROM counted c WHERE l.webhook_id = c.webhook_id AND c.pending > 0
    )
    SELECT * FROM counted`.execute(tx);
  return rows.reduce((sum, { count }) => sum + count, 0);
}
