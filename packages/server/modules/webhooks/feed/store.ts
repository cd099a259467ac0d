import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { ErasedConsent } from "./erased-store.ts";
import { lockQueues } from "../deliveries/store.ts";

/** A position in both settled orders: events by their numbers, consents by their leaves in the log. */
export interface Cursor {
  /** The number of the last event before it. */
  position: number;
  /** The leaf of the first consent after it. */
  leaf: number;
}

/** Locks the head for the transaction; undefined while another node holds it. */
export async function lockHead(tx: Tx): Promise<Cursor | undefined> {
  const { rows } = await sql<Cursor>`
    SELECT position, leaf FROM webhook_head FOR UPDATE SKIP LOCKED`.execute(tx);
  return rows[0];
}

/** Waits for the feed, and keeps it out until the transaction ends. */
export async function lockHeadShared(tx: Tx): Promise<void> {
  await sql`SELECT 1 FROM webhook_head FOR SHARE`.execute(tx);
}

/** The head, without a lock. */
export async function findHead(db: Db | Tx): Promise<Cursor> {
  const { rows } = await sql<Cursor>`SELECT position, leaf FROM webhook_head`.execute(db);
  return rows[0] ?? { position: 0, leaf: 0 };
}

/** Moves the head, and marks its position once a minute. */
export async function updateHead(tx: Tx, { position, leaf }: Cursor, now: Date): Promise<void> {
  await sql`UPDATE webhook_head SET position = ${position}, leaf = ${leaf}`.execute(tx);
  await sql`
    INSERT INTO webhook_marks (at, position, leaf)
    VALUES (date_trunc('minute', ${now}::timestamptz), ${position}, ${leaf}) ON CONFLICT DO NOTHING`.execute(
    tx,
  );
}

/** The last marked cursor by `instant`; the beginning where there is none. */
export async function findCursorAt(db: Db | Tx, instant: Date): Promise<Cursor> {
  const { rows } = await sql<Cursor>`
    SELECT position, leaf FROM webhook_marks WHERE at <= ${instant} ORDER BY at DESC LIMIT 1`.execute(
    db,
  );
  return rows[0] ?? { position: 0, leaf: 0 };
}

export async function deleteMarksBefore(db: Db, before: Date): Promise<void> {
  await sql`DELETE FROM webhook_marks WHERE at < ${before}`.execute(db);
}

/**
 * Numbers up to `max` committed events in the order of their ids, so that no reader by number misses one that commits
 * late. Returns the last number, and how many are new.
 */
export async function numberEvents(
  tx: Tx,
  max: number,
): Promise<{ last: number; numbered: number }> {
  const known = await sql<{ last: number | null }>`
    SELECT max(position) AS last FROM event_positions`.execute(tx);
  const last = known.rows[0]?.last ?? 0;
  const { rows } = await sql<{ position: number }>`
    WITH taken AS (
      DELETE FROM event_queue WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM event_queue ORDER BY event_id LIMIT ${max}))
      RETURNING event_id
    )
    INSERT INTO event_positions (position, event_id)
    SELECT ${last}::bigint + row_number() OVER (ORDER BY event_id), event_id FROM taken
    RETURNING position`.execute(tx);
  return { last: last + rows.length, numbered: rows.length };
}

/**
 * Removes erased records from their deliveries with the answers to these, which may repeat them; pending ones are
 * cancelled. Idempotent.
 */
export async function forgetErased(
  tx: Tx,
  erased: readonly ErasedConsent[],
  now: Date,
): Promise<void> {
  const found = sql`unnest(${sql.val(erased.map((one) => one.project_id))}::text[],
    ${sql.val(erased.map((one) => one.consent_id))}::uuid[]) AS e(project_id, consent_id)
    JOIN webhook_deliveries d ON d.project_id = e.project_id AND d.consent_id = e.consent_id`;
  const { rows } = await sql<{
    id: string;
  }>`SELECT DISTINCT d.webhook_id AS id FROM ${found}`.execute(tx);
  if (rows.length === 0) return;
  await lockQueues(
    tx,
    rows.map(({ id }) => id),
  );
  await sql`
    WITH found AS (SELECT d.id, d.next_at FROM ${found}), forgotten AS (
      UPDATE webhook_deliveries d SET tried = '[]', consent_id = NULL, next_at = NULL,
        status = CASE WHEN d.next_at IS NULL THEN d.status ELSE 'cancelled' END,
        ended_at = coalesce(d.ended_at, ${now}::timestamptz)
      FROM found f WHERE d.id = f.id
      RETURNING d.id, d.webhook_id, f.next_at AS waited
    ), dequeued AS (
      UPDATE webhooks w SET pending = w.pending - c.count
      FROM (SELECT webhook_id, count(waited)::integer AS count FROM forgotten GROUP BY webhook_id) c
      WHERE w.id = c.webhook_id AND c.count > 0
    )
    DELETE FROM webhook_answers WHERE delivery_id IN (SELECT id FROM forgotten)`.execute(tx);
}
