import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/db.ts";
import { isFirst, lockLanes } from "./deliveries-store.ts";

/** A webhook's lane: what delivery knows of how it does. */
export interface Lane {
  webhookId: string;
  /** How many deliveries wait, now or later. */
  pending: number;
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
 * Takes lanes that are due, those that have waited longest first, until `until`: so many of the usual ones and so
 * many of the poor ones. What another node holds is passed by, unless its lease has ended: then the node is
 * gone, or hangs.
 */
export async function claimLanes(
  db: Db,
  { now, until, max }: { now: Date; until: Date; max: { usual: number; poor: number } },
): Promise<Lane[]> {
  const due = (isPoor: boolean, limit: number) => sql`(
    SELECT webhook_id FROM webhook_lanes
    WHERE is_poor = ${sql.lit(isPoor)}
      AND (leased_until <= ${now} OR (leased_until IS NULL AND due_at <= ${now}))
    ORDER BY due_at NULLS FIRST LIMIT ${Math.max(0, limit)} FOR UPDATE SKIP LOCKED)`;
  const { rows } = await sql<Lane>`
    WITH usual AS ${due(false, max.usual)}, poor AS ${due(true, max.poor)}
    UPDATE webhook_lanes SET leased_until = ${until}, due_at = NULL
    WHERE webhook_id IN (SELECT * FROM usual UNION ALL SELECT * FROM poor)
    RETURNING webhook_id AS "webhookId", pending, failures, is_poor AS "isPoor",
      leased_until AS "leasedUntil"`.execute(db);
  return rows;
}

/** How a lane is given back. */
export interface Release extends Omit<Lane, "pending"> {
  /** Nothing is sent before. */
  restsUntil: Date | null;
}

/**
 * Gives lanes back, to be taken again when something is due, and not before they have rested. What was added
 * meanwhile counts: it set `due_at` anew. A lane that another node has taken over stays that node's.
 */
export async function releaseLanes(tx: Tx, lanes: readonly Release[]): Promise<void> {
  const values = <T>(of: (lane: Release) => T) => sql.val(lanes.map(of));
  await lockLanes(lanes.map(({ webhookId }) => webhookId)).execute(tx);
  await sql`
    UPDATE webhook_lanes l SET leased_until = NULL, failures = g.failures, is_poor = g.is_poor,
      rests_until = g.rests_until, due_at = CASE WHEN coalesce(l.due_at, n.next_at) IS NOT NULL
        THEN greatest(least(l.due_at, n.next_at), g.rests_until) END
    FROM unnest(${values((l) => l.webhookId)}::text[], ${values((l) => l.leasedUntil)}::timestamptz[],
      ${values((l) => l.failures)}::integer[], ${values((l) => l.isPoor)}::boolean[],
      ${values((l) => l.restsUntil)}::timestamptz[]) AS g(webhook_id, leased_until, failures, is_poor, rests_until)
    CROSS JOIN LATERAL (
      SELECT min(d.next_at) AS next_at FROM webhook_deliveries d
      WHERE d.webhook_id = g.webhook_id AND d.next_at IS NOT NULL AND ${isFirst}) n
    WHERE l.webhook_id = g.webhook_id AND l.leased_until = g.leased_until`.execute(tx);
}
