import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/db.ts";
import { firstsOf, lockLanes } from "./deliveries-store.ts";
import type { ByKind } from "./kinds.ts";

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

/** How many lanes of a maker a node has open. */
export interface Held extends ByKind {
  maker: string;
}

/** So many of each kind may be taken, and of one maker so many together with those that are open. */
export interface Room {
  max: ByKind;
  makerMax: ByKind;
  held: readonly Held[];
}

interface Claim extends Room {
  now: Date;
  until: Date;
  by: string;
}

/** So many of those that are due are looked at; makers that have all their places are not among them. */
const LOOKED_AT_MAX = 1_000;

/**
 * Takes lanes that are due until `until`: makers with the fewest places first, of one maker what has waited
 * longest. What another node holds is passed by, unless its lease has ended: then the node is gone, or hangs.
 */
export async function claimLanes(db: Db, claim: Claim): Promise<Lane[]> {
  const { now, until, by, max, makerMax, held } = claim;
  const isDue = sql`(l.leased_until <= ${now} OR (l.leased_until IS NULL AND l.due_at <= ${now}))`;
  const makers = sql.val(held.map(({ maker }) => maker));
  const due = (kind: keyof ByKind) => {
    const full = held.filter((one) => one[kind] >= makerMax[kind]).map(({ maker }) => maker);
    return sql`(
      SELECT webhook_id FROM (
        SELECT webhook_id, due_at, coalesce(h.lanes, 0)
          + row_number() OVER (PARTITION BY d.maker ORDER BY due_at NULLS FIRST, webhook_id) AS place
        FROM (
          SELECT l.webhook_id, l.due_at, w.created_by AS maker
          FROM webhook_lanes l JOIN webhooks w ON w.id = l.webhook_id
          WHERE l.is_poor = ${sql.lit(kind === "poor")} AND ${isDue} AND w.created_by <> ALL (${sql.val(full)}::text[])
          ORDER BY l.due_at NULLS FIRST LIMIT ${sql.lit(LOOKED_AT_MAX)}) d
        LEFT JOIN unnest(${makers}::text[], ${sql.val(held.map((one) => one[kind]))}::integer[]) AS h(maker, lanes)
          ON h.maker = d.maker) placed
      WHERE place <= ${makerMax[kind]} ORDER BY place, due_at NULLS FIRST LIMIT ${Math.max(0, max[kind])})`;
  };
  const { rows } = await sql<Lane>`
    WITH usual AS MATERIALIZED ${due("usual")}, poor AS MATERIALIZED ${due("poor")}, taken AS (
      SELECT l.webhook_id FROM webhook_lanes l
      WHERE l.webhook_id IN (SELECT * FROM usual UNION ALL SELECT * FROM poor) AND ${isDue}
      FOR UPDATE SKIP LOCKED)
    UPDATE webhook_lanes SET leased_until = ${until}, leased_by = ${by}, due_at = NULL
    WHERE webhook_id IN (SELECT * FROM taken)
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
 * meanwhile counts: it set `due_at` anew. A lane that another node has taken over stays that node's. One of a
 * webhook that is disabled is not looked at until that is enabled, which wakes it: who does waits for this, or is seen.
 */
export async function releaseLanes(tx: Tx, lanes: readonly Release[]): Promise<void> {
  const values = <T>(of: (lane: Release) => T) => sql.val(lanes.map(of));
  await lockLanes(lanes.map(({ webhookId }) => webhookId)).execute(tx);
  await sql`
    UPDATE webhook_lanes l SET leased_until = NULL, leased_by = NULL, failures = g.failures, is_poor = g.is_poor,
      rests_until = g.rests_until, due_at = CASE WHEN coalesce(l.due_at, n.next_at) IS NOT NULL
        AND EXISTS (SELECT FROM webhooks w WHERE w.id = l.webhook_id AND w.enabled) THEN greatest(least(l.due_at, n.next_at), g.rests_until) END
    FROM unnest(${values((l) => l.webhookId)}::text[], ${values((l) => l.leasedBy)}::text[],
      ${values((l) => l.failures)}::integer[], ${values((l) => l.isPoor)}::boolean[],
      ${values((l) => l.restsUntil)}::timestamptz[]) AS g(webhook_id, leased_by, failures, is_poor, rests_until)
    CROSS JOIN LATERAL (
      SELECT min(d.next_at) AS next_at FROM ${firstsOf(sql`g.webhook_id`)} d) n
    WHERE l.webhook_id = g.webhook_id AND l.leased_by = g.leased_by`.execute(tx);
}
