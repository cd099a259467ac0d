import { sql } from "kysely";
import type { Tx } from "../../platform/db/db.ts";
import { lockLanes } from "./deliveries-store.ts";

/** A record that was erased. */
export interface Erased {
  project_id: string;
  consent_id: string;
}

/** Takes records that were erased from the front of their queue, `max` at most. */
export async function takeErased(tx: Tx, max: number): Promise<Erased[]> {
  const { rows } = await sql<Erased>`
    DELETE FROM erased_consents WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM erased_consents LIMIT ${max} FOR UPDATE SKIP LOCKED))
    RETURNING project_id, consent_id`.execute(tx);
  return rows;
}

/**
 * Takes out of the deliveries of records that were erased which records they were of, and what was answered to them:
 * a receiver may have repeated what it was sent. Those that wait are cancelled, so that nothing is kept of a try that
 * is under way either.
 */
export async function forgetDeliveries(
  tx: Tx,
  erased: readonly Erased[],
  now: Date,
): Promise<void> {
  const keys = sql`unnest(${sql.val(erased.map((one) => one.project_id))}::text[],
    ${sql.val(erased.map((one) => one.consent_id))}::uuid[]) AS e(project_id, consent_id)`;
  const isOf = sql`d.project_id = e.project_id AND d.consent_id = e.consent_id`;
  const { rows } = await sql<{ webhook_id: string }>`
    SELECT DISTINCT d.webhook_id FROM ${keys} JOIN webhook_deliveries d ON ${isOf}`.execute(tx);
  if (rows.length === 0) return;
  await lockLanes(rows.map((row) => row.webhook_id)).execute(tx);
  await sql`
    WITH found AS (
      SELECT d.id, d.next_at FROM ${keys} JOIN webhook_deliveries d ON ${isOf}
    ), forgotten AS (
      UPDATE webhook_deliveries d SET tried = '[]', consent_id = NULL, next_at = NULL,
        status = CASE WHEN d.next_at IS NULL THEN d.status ELSE 'cancelled' END,
        ended_at = coalesce(d.ended_at, ${now}::timestamptz)
      FROM found f WHERE d.id = f.id
      RETURNING d.id, d.webhook_id, f.next_at AS waited
    ), lanes AS (
      UPDATE webhook_lanes l SET pending = l.pending - c.count
      FROM (SELECT webhook_id, count(waited)::integer AS count FROM forgotten GROUP BY webhook_id) c
      WHERE l.webhook_id = c.webhook_id AND c.count > 0
    )
    DELETE FROM webhook_answers WHERE delivery_id IN (SELECT id FROM forgotten)`.execute(tx);
}
