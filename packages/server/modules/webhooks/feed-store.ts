import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/db.ts";
import type { EventRow } from "./events.ts";

/** How far something was told: events by their numbers, consents by their places in the log. */
export interface Place {
  /** The number of the last event that was told. */
  position: number;
  /** The leaf of the first consent that was not. */
  leaf: number;
}

/** Locks the head until the transaction ends; undefined where another node has it. */
export async function lockHead(tx: Tx): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    SELECT position, leaf FROM webhook_head FOR UPDATE SKIP LOCKED`.execute(tx);
  return rows[0];
}

/** Waits for who is handing out what happened, and keeps others from it until the transaction ends. */
export async function lockHeadShared(tx: Tx): Promise<void> {
  await sql`SELECT 1 FROM webhook_head FOR SHARE`.execute(tx);
}

/** The head as it is; for who only reads. */
export async function findHeadPlace(db: Db | Tx): Promise<Place> {
  const { rows } = await sql<Place>`SELECT position, leaf FROM webhook_head`.execute(db);
  return rows[0] ?? { position: 0, leaf: 0 };
}

/** Moves the head, and marks once in a minute where it was. */
export async function updateHead(tx: Tx, { position, leaf }: Place, now: Date): Promise<void> {
  await sql`UPDATE webhook_head SET position = ${position}, leaf = ${leaf}`.execute(tx);
  await sql`
    INSERT INTO webhook_marks (at, position, leaf)
    VALUES (date_trunc('minute', ${now}::timestamptz), ${position}, ${leaf}) ON CONFLICT DO NOTHING`.execute(
    tx,
  );
}

/** A place that the head had by `instant` at the latest; the beginning where nothing is known. */
export async function findPlaceAt(db: Db | Tx, instant: Date): Promise<Place> {
  const { rows } = await sql<Place>`
    SELECT position, leaf FROM webhook_marks WHERE at <= ${instant} ORDER BY at DESC LIMIT 1`.execute(
    db,
  );
  return rows[0] ?? { position: 0, leaf: 0 };
}

export async function deleteMarksBefore(db: Db, before: Date): Promise<void> {
  await sql`DELETE FROM webhook_marks WHERE at < ${before}`.execute(db);
}

/** The number of the last event that has one. */
export async function findLastNumber(db: Db | Tx): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    SELECT max(position) AS last FROM event_positions`.execute(db);
  return rows[0]?.last ?? 0;
}

/**
 * Numbers events that wait, after `last`, in the order of their ids, the first ones first: what happened to one
 * document is in the order of its ids. Answers the last number.
 */
export async function numberEvents(
  tx: Tx,
  { last, max }: { last: number; max: number },
): Promise<number> {
  const { rows } = await sql<{ position: number }>`
    WITH taken AS (
      DELETE FROM event_queue WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM event_queue ORDER BY event_id LIMIT ${max}))
      RETURNING event_id
    )
    INSERT INTO event_positions (position, event_id)
    SELECT ${last}::bigint + row_number() OVER (ORDER BY event_id), event_id FROM taken
    RETURNING position`.execute(tx);
  return rows.reduce((highest, { position }) => Math.max(highest, position), last);
}

/** The events after a number, in their order. */
export async function listNumbered(
  db: Db | Tx,
  { after, limit }: { after: number; limit: number },
): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    SELECT e.id, p.position, e.name, e.project_id, e.document_id, e.data, e.created_at
    FROM event_positions p JOIN events e ON e.id = p.event_id
    WHERE p.position > ${after} ORDER BY p.position LIMIT ${limit}`.execute(db);
  return rows;
}

/** Events by their ids. */
export async function listEvents(
  db: Db | Tx,
  ids: readonly number[],
): Promise<Omit<EventRow, "position">[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Omit<EventRow, "position">>`
    SELECT id, name, project_id, document_id, data, created_at FROM events
    WHERE id = ANY (${sql.val([...ids])}::bigint[])`.execute(db);
  return rows;
}
