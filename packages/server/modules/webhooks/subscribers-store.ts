import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/db.ts";
import type { WebhookRow } from "./store.ts";

/** A webhook with how far it was told, where it is behind, and how much waits for it. */
export interface Subscriber extends Pick<
  WebhookRow,
  "id" | "created_by" | "project_id" | "events" | "collection" | "identifier" | "tells_from"
> {
  position: number | null;
  leaf: number | null;
  pending: number;
}

const columns = sql`w.id, w.created_by, w.project_id, w.events, w.collection, w.identifier, w.tells_from,
  l.position, l.leaf, l.pending`;
const tables = sql`webhooks w JOIN webhook_lanes l ON l.webhook_id = w.id`;

/** Whether anybody is to be told of anything. */
export async function hasSubscribers(db: Db | Tx): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM webhooks WHERE enabled LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** The enabled webhooks that are of one of these projects, or of one of these users and of no project. */
export async function listSubscribers(
  db: Db | Tx,
  { projectIds, userIds }: { projectIds: readonly string[]; userIds: readonly string[] },
): Promise<Subscriber[]> {
  const { rows } = await sql<Subscriber>`
    SELECT ${columns} FROM ${tables}
    WHERE w.enabled AND w.project_id = ANY (${sql.val([...projectIds])}::text[])
    UNION ALL
    SELECT ${columns} FROM ${tables}
    WHERE w.enabled AND w.project_id IS NULL AND w.created_by = ANY (${sql.val([...userIds])}::text[])
    ORDER BY 1`.execute(db);
  return rows;
}

/**
 * Gives the turn to the enabled webhook that is behind the head, has room for more, and had no turn for longest;
 * answers its id. Who fails at its turn comes behind all others too.
 */
export async function takeTurn(
  db: Db,
  { pendingMax, now }: { pendingMax: number; now: Date },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    UPDATE webhook_lanes SET fed_at = ${now} WHERE webhook_id = (
      SELECT l.webhook_id FROM ${tables}
      WHERE w.enabled AND l.position IS NOT NULL AND l.pending < ${pendingMax}
      ORDER BY l.fed_at NULLS FIRST LIMIT 1 FOR UPDATE OF l SKIP LOCKED)
    RETURNING webhook_id AS id`.execute(db);
  return rows[0]?.id;
}

/** Keeps others from a webhook's turn until the transaction ends; false where another node has it. */
export async function lockTurn(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${`webhook turn ${id}`}, 0)) AS locked`.execute(
    tx,
  );
  return rows[0]?.locked === true;
}

/** A webhook that is enabled and behind; undefined where it is not. */
export async function findBehind(tx: Tx, id: string): Promise<Subscriber | undefined> {
  const { rows } = await sql<Subscriber>`
    SELECT ${columns} FROM ${tables}
    WHERE w.id = ${id} AND w.enabled AND l.position IS NOT NULL`.execute(tx);
  return rows[0];
}

/** Keeps how far a webhook was told; undefined: up to the head. */
export async function updatePlace(
  tx: Tx,
  webhookIds: readonly string[],
  place: { position: number; leaf: number } | undefined,
): Promise<void> {
  if (webhookIds.length === 0) return;
  await sql`
    UPDATE webhook_lanes SET position = ${place?.position ?? null}, leaf = ${place?.leaf ?? null}
    WHERE webhook_id = ANY (${sql.val([...webhookIds])}::text[])`.execute(tx);
}
