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
  leasedBy: string;
  leasedUntil: Date;
}

/** Has a webhook's lane looked at by `at`, or sooner where it is to be already. */
export async function wakeLane(tx: Tx, webhookId: string, at: Date): Promise<void> {
  await sql`
    UPDATE webhook_lanes SET due_at = least(due_at, ${at}), rests_until = NULL, failures = 0
    WHERE webhook_id = ${webhookId}`.execute(tx);
}

/** What a node asks for: so many of the usual lanes, and of those that are slow or failing. */
interface Claim {
  now: Date;
  until: Date;
  by: string;
  max: { usual: number; poor: number };
}

/**
 * Takes lanes that are due, those that have waited longest first, until `until`. What another node holds is passed by, unless its lease has ended: then the node is
 * gone, or hangs.
 */
export async function claimLanes(db: Db, { now, until, by, max }: Claim): Promise<Lane[]> {
  const due = (isPoor: boolean, limit: number) => sql`(
    SELECT webhook_id FROM webhook_lanes
    WHERE is_poor = ${sql.lit(isPoor)}
      AND (leased_until <= ${now} OR (leased_until IS NULL AND due_at <= ${now}))
    ORDER BY due_at NULLS FIRST LIMIT ${Math.max(0, limit)} FOR UPDATE SKIP LOCKED)`;
  const { rows } = await sql<Lane>`
    WITH usual AS ${due(false, max.usual)}, poor AS ${due(true, max.poor)}
    UPDATE webhook_lanes SET leased_until = ${until}, leased_by = ${by}, due_at = NULL
    WHERE webhook_id IN (SELECT * FROM usual UNION ALL SELECT * FROM poor)
    RETURNING webhook_id AS "webhookId", pending, failures, is_poor AS "isPoor",
      leased_by AS "leasedBy", leased_until AS "leasedUntil"`.execute(db);
  return rows;
}

/** Goes on to have lanes until `until`; answers which ones the node still had. */
export async function renewLanes(
  db: Db,
  { webhookIds, by, until }: { webhookIds: readonly string[]; by: string; until: Date },
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    UPDATE webhook_lanes SET leased_until = ${until}
    WHERE leased_by = ${by} AND leased_until IS NOT NULL AND webhook_id = ANY (${sql.val([...webhookIds])}::text[])
    RETURNING webhook_id AS id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** How a lane is given back. */
export interface Release extends Omit<Lane, "pending" | "leasedUntil"> {
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
    UPDATE webhook_lanes l SET leased_until = NULL, leased_by = NULL, failures = g.failures, is_poor = g.is_poor,
      rests_until = g.rests_until, due_at = CASE WHEN coalesce(l.due_at, n.next_at) IS NOT NULL
        THEN greatest(least(l.due_at, n.next_at), g.rests_until) END
    FROM unnest(${values((l) => l.webhookId)}::text[], ${values((l) => l.leasedBy)}::text[],
      ${values((l) => l.failures)}::integer[], ${values((l) => l.isPoor)}::boolean[],
      ${values((l) => l.restsUntil)}::timestamptz[]) AS g(webhook_id, leased_by, failures, is_poor, rests_until)
    CROSS JOIN LATERAL (
      SELECT min(d.next_at) AS next_at FROM webhook_deliveries d
      WHERE d.webhook_id = g.webhook_id AND d.next_at IS NOT NULL AND ${isFirst}) n
    WHERE l.webhook_id = g.webhook_id AND l.leased_by = g.leased_by`.execute(tx);
}
