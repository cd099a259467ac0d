import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/db.ts";
import { nextDueAt } from "./deliveries-store.ts";

/** A webhook's lane: what delivery knows of how it does. */
export interface Lane {
  webhookId: string;
  /** Rounds that failed in a row. */
  failures: number;
  isPoor: boolean;
  leasedUntil: Date;
}

/** Has a webhook's lane looked at by `at`, or sooner where it is to be already. */
export async function wakeLane(tx: Tx, webhookId: string, at: Date): Promise<void> {
  await sql`
    UPDATE webhook_lanes SET due_at = least(due_at, ${at}), rests_until = NULL, failures = 0
    WHERE webhook_id = ${webhookId}`.execute(tx);
}

/**
 * Takes lanes that are due, those that have waited longest first, until `until`; what another node holds is
 * passed by, unless its lease has ended: then the node is gone, or hangs.
 */
export async function claimLanes(
  db: Db,
  { now, until, isPoor, limit }: { now: Date; until: Date; isPoor: boolean; limit: number },
): Promise<Lane[]> {
  const { rows } = await sql<Lane>`
    UPDATE webhook_lanes SET leased_until = ${until}, due_at = NULL
    WHERE webhook_id IN (
      SELECT webhook_id FROM webhook_lanes
      WHERE is_poor = ${isPoor}
        AND (leased_until <= ${now} OR (leased_until IS NULL AND due_at <= ${now}))
      ORDER BY due_at NULLS FIRST LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING webhook_id AS "webhookId", failures, is_poor AS "isPoor", leased_until AS "leasedUntil"`.execute(
    db,
  );
  return rows;
}

/**
 * Gives a lane back, to be taken again when something is due, and not before `restsUntil`. What was added
 * meanwhile counts: it set `due_at` anew. One that another node has taken over stays that node's.
 */
export async function releaseLane(db: Db, lane: Lane & { restsUntil: Date | null }): Promise<void> {
  const { webhookId, failures, isPoor, leasedUntil, restsUntil } = lane;
  await sql`
    UPDATE webhook_lanes l SET leased_until = NULL, failures = ${failures}, is_poor = ${isPoor},
      rests_until = ${restsUntil}, due_at = CASE WHEN coalesce(l.due_at, n.next_at) IS NOT NULL
        THEN greatest(least(l.due_at, n.next_at), ${restsUntil}::timestamptz) END
    FROM (SELECT ${nextDueAt(webhookId)} AS next_at) n
    WHERE l.webhook_id = ${webhookId} AND l.leased_until = ${leasedUntil}`.execute(db);
}
