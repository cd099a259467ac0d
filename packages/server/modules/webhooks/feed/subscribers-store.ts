import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { Endpoint } from "../endpoints/store.ts";
import type { Cursor } from "./store.ts";

/** An endpoint as the feed sees it. */
export type Subscriber = Pick<
  Endpoint,
  | "id"
  | "created_by"
  | "project_id"
  | "events"
  | "collection"
  | "identifier"
  | "delivers_from"
  | "pending"
  | "position"
  | "leaf"
>;

const columns = sql`w.id, w.created_by, w.project_id, w.events, w.collection, w.identifier, w.delivers_from, w.pending,
  w.position, w.leaf`;

export async function hasSubscribers(db: Db | Tx): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM webhooks WHERE enabled LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** Enabled endpoints at the head: those of one of these projects, and those of these users for all projects. */
export async function listSubscribers(
  db: Db | Tx,
  { projectIds, userIds }: { projectIds: readonly string[]; userIds: readonly string[] },
): Promise<Subscriber[]> {
  const { rows } = await sql<Subscriber>`
    SELECT ${columns} FROM webhooks w
    WHERE w.enabled AND w.position IS NULL AND w.project_id = ANY (${sql.val([...projectIds])}::text[])
    UNION ALL
    SELECT ${columns} FROM webhooks w
    WHERE w.enabled AND w.position IS NULL AND w.project_id IS NULL AND w.created_by = ANY (${sql.val([...userIds])}::text[])
    ORDER BY 1`.execute(db);
  return rows;
}

/**
 * Claims the enabled endpoint behind the head that was fed least recently and has few pending deliveries. The time is
 * committed before its stretch is read, so that an endpoint whose stretch fails is tried after all others.
 */
export async function claimBehind(
  db: Db,
  { pendingMax, now }: { pendingMax: number; now: Date },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    UPDATE webhooks SET fed_at = ${now} WHERE id = (
      SELECT id FROM webhooks WHERE enabled AND position IS NOT NULL AND pending < ${pendingMax}
      ORDER BY fed_at NULLS FIRST LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id`.execute(db);
  return rows[0]?.id;
}

/** An endpoint behind the head; undefined once it is deleted, disabled or at the head. */
export async function findBehind(tx: Tx, id: string): Promise<Subscriber | undefined> {
  const { rows } = await sql<Subscriber>`
    SELECT ${columns} FROM webhooks w
    WHERE w.id = ${id} AND w.enabled AND w.position IS NOT NULL`.execute(tx);
  return rows[0];
}

/** Sets the cursors of endpoints; undefined: they are at the head. */
export async function updateCursors(
  tx: Tx,
  { ids, cursor, now }: { ids: readonly string[]; cursor: Cursor | undefined; now: Date },
): Promise<void> {
  if (ids.length === 0) return;
  const changes = { position: cursor?.position ?? null, leaf: cursor?.leaf ?? null, fed_at: now };
  await tx.updateTable("webhooks").set(changes).where("id", "in", ids).execute();
}
