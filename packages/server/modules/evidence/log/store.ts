import { sql } from "kysely";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import type { JsonObject } from "@avow/contract/json";
import type { Tile } from "@avow/contract/merkle";

/** Key of the advisory lock that one sequencer holds at a time. */
const SEQUENCER_LOCK = 4_711_001;
/** Maximum queue rows scanned for one consent: this many take hundredths of a second. */
const QUEUED_LOOKED_AT_MAX = 100_000;

/** Maximum traces of a part that the log links to. */
const TRACES_MAX = 100;

/** A signed tree. */
export interface HeadRow {
  origin: string;
  size: number;
  checkpoint: string;
  /** The verifier keys that signed it. */
  keys: string[];
  signed_at: Date;
}

/** Takes the sequencer's lock until the transaction ends; false if another one holds it. */
export async function lockSequencing(tx: DataTx): Promise<boolean> {
  const { rows } = await sql<{ isOurs: boolean }>`
    SELECT pg_try_advisory_xact_lock(${SEQUENCER_LOCK}) AS "isOurs"`.execute(tx);
  return rows[0]?.isOurs ?? false;
}

/** The latest signed tree; undefined before the first. */
export async function findHead(db: DataDb | DataTx): Promise<HeadRow | undefined> {
  return db
    .selectFrom("log_heads")
    .select(["origin", "size", "checkpoint", "keys", "signed_at"])
    .executeTakeFirst();
}

/**
 * Replaces the tree of `from.size` leaves; false if that is no longer the latest, or if a later assignment of leaves than
 * `from.term` has begun.
 */
export async function replaceHead(
  tx: DataTx,
  from: { size: number; term: number },
  head: HeadRow,
): Promise<boolean> {
  const { timeline } = await readContinuity(tx);
  const changes = sql`
    size = ${head.size}, checkpoint = ${head.checkpoint}, keys = ${sql.val(head.keys)}::text[],
    signed_at = ${head.signed_at}, timeline = ${timeline}, placing_bucket = NULL`;
  const replaced = await sql`
    UPDATE log_heads SET ${changes}
    WHERE id = 1 AND size = ${from.size} AND origin = ${head.origin} AND placing_term = ${from.term}
    RETURNING 1`.execute(tx);
  if (replaced.rows.length > 0 || from.size > 0) return replaced.rows.length > 0;
  const { rows } = await sql`
    INSERT INTO log_heads (id, origin, size, checkpoint, keys, signed_at, timeline)
    VALUES (1, ${head.origin}, ${head.size}, ${head.checkpoint}, ${sql.val(head.keys)}::text[], ${head.signed_at},
      ${timeline})
    ON CONFLICT (id) DO NOTHING RETURNING 1`.execute(tx);
  return rows.length > 0;
}

/** The database's present timeline, that of the latest tree, and the reason for which no tree is signed any more. */
export interface Continuity {
  timeline: string | null;
  signedIn: string | null;
  stoppedReason: string | null;
}

export async function readContinuity(tx: DataTx): Promise<Continuity> {
  const { rows } = await sql<Continuity>`
    SELECT find_timeline() AS timeline, timeline AS "signedIn", stopped_reason AS "stoppedReason"
    FROM (SELECT) one LEFT JOIN log_heads ON true`.execute(tx);
  return rows[0] ?? { timeline: null, signedIn: null, stoppedReason: null };
}

/** Makes all nodes sign no further tree. The first reason stays. */
export async function stopLog(db: DataDb, reason: string): Promise<void> {
  await sql`UPDATE log_heads SET stopped_reason = coalesce(stopped_reason, ${reason})`.execute(db);
}

/** Why no tree is signed any more; undefined while trees are signed. */
export async function findStoppedReason(db: DataDb): Promise<string | undefined> {
  const row = await db.selectFrom("log_heads").select("stopped_reason").executeTakeFirst();
  return row?.stopped_reason ?? undefined;
}

/** Consents taken from the queue. */
export interface QueueBatch {
  /** Number of rows removed from the queue. */
  taken: number;
  /** The consents whose entries have yet to be computed, in the order of their ids. */
  keys: { id: string; projectId: string }[];
  /** The entries of the others, computed when the consents were queued; their leaves begin at `first`. */
  entries: Buffer;
  /** The `traceparent` of the writes that queued them, as far as they were traced; the first hundred. */
  traces: string[];
}

/**
 * Takes the first consents of the queue, and stores the salts of those that were queued with an entry.
 * Skips consents that are in the log already: queuing is idempotent.
 */
export async function takeQueued(
  tx: DataTx,
  { max, first }: { max: number; first: number },
): Promise<QueueBatch> {
  const { rows } = await sql<{ [K in keyof QueueBatch]: QueueBatch[K] | null }>`
    WITH taken AS (
      DELETE FROM consent_queue
      WHERE ctid = ANY (ARRAY(SELECT ctid FROM consent_queue LIMIT ${max}))
      RETURNING project_id, consent_id, entry, salt, trace
    ), fresh AS MATERIALIZED (
      -- For a consent that was queued twice, the row with its entry.
      SELECT DISTINCT ON (consent_id, project_id) project_id, consent_id, entry, salt FROM taken t
      WHERE NOT EXISTS (
        SELECT FROM consent_salts s
        WHERE s.consent_id = t.consent_id AND s.project_id = t.project_id OFFSET 0
      )
      ORDER BY consent_id, project_id, entry
    ), made AS MATERIALIZED (
      SELECT *, row_number() OVER (ORDER BY consent_id, project_id) - 1 AS at FROM fresh
      WHERE entry IS NOT NULL
    ), kept AS (
      INSERT INTO consent_salts (project_id, consent_id, leaf, salt)
      SELECT project_id, consent_id, ${first}::bigint + at, salt FROM made
    )
    SELECT (SELECT count(*)::integer FROM taken) AS taken, (
      SELECT json_agg(json_build_object('id', consent_id, 'projectId', project_id) ORDER BY consent_id, project_id)
      FROM fresh WHERE entry IS NULL
    ) AS keys, (SELECT string_agg(entry, ''::bytea ORDER BY at) FROM made) AS entries, (
      SELECT json_agg(trace) FROM (SELECT DISTINCT trace FROM taken WHERE trace IS NOT NULL LIMIT ${TRACES_MAX}) t
    ) AS traces`.execute(tx);
  const [row] = rows;
  const { taken = 0, keys, entries, traces } = row ?? {};
  return {
    taken: taken ?? 0,
    keys: keys ?? [],
    entries: entries ?? Buffer.of(),
    traces: traces ?? [],
  };
}

/**
 * Vacuums the queue: until then, every read scans past the dead rows, and autovacuum runs only once a minute. The
 * queue has no index and is short, so this takes milliseconds.
 */
export async function vacuumQueue(db: DataDb): Promise<void> {
  await sql`VACUUM (SKIP_LOCKED, TRUNCATE FALSE, PROCESS_TOAST FALSE) consent_queue`.execute(db);
}

export interface DocumentRow {
  project_id: string;
  name: string;
  document: JsonObject;
  leaf: number | null;
  salt: Buffer | null;
}

/** Documents that are not sequenced yet, locked for update. */
export async function listQueuedDocuments(tx: DataTx, max: number): Promise<DocumentRow[]> {
  const { rows } = await sql<DocumentRow>`
    SELECT project_id, name, document, leaf, salt FROM log_documents
    WHERE leaf IS NULL ORDER BY project_id, name LIMIT ${max} FOR UPDATE`.execute(tx);
  return rows;
}

/** Queues a document for the log; does nothing if one of that name exists. */
export async function insertDocument(
  tx: DataTx,
  { projectId, name, document }: { projectId: string; name: string; document: JsonObject },
): Promise<void> {
  await sql`
    INSERT INTO log_documents (project_id, name, document)
    VALUES (${projectId}, ${name}, ${JSON.stringify(document)}::json)
    ON CONFLICT DO NOTHING`.execute(tx);
}

export async function findDocument(
  db: DataDb | DataTx,
  projectId: string,
  name: string,
): Promise<DocumentRow | undefined> {
  const { rows } = await sql<DocumentRow>`
    SELECT project_id, name, document, leaf, salt FROM log_documents
    WHERE project_id = ${projectId} AND name = ${name}`.execute(db);
  return rows[0];
}

/** The sequenced documents of a project whose names have the prefix, in log order. */
export async function listPlaced(
  db: DataDb,
  { projectId, prefix, limit }: { projectId: string; prefix: string; limit: number },
): Promise<(DocumentRow & { leaf: number; salt: Buffer })[]> {
  const { rows } = await sql<DocumentRow & { leaf: number; salt: Buffer }>`
    SELECT project_id, name, document, leaf, salt FROM log_documents
    WHERE project_id = ${projectId} AND starts_with(name, ${prefix})
      AND leaf IS NOT NULL AND salt IS NOT NULL
    ORDER BY leaf LIMIT ${limit}`.execute(db);
  return rows;
}

/** Stores the leaves and salts of documents. */
export async function updateDocuments(
  tx: DataTx,
  placed: readonly { row: DocumentRow; leaf: number; salt: Uint8Array }[],
): Promise<void> {
  for (const { row, leaf, salt } of placed)
    await sql`
      UPDATE log_documents SET leaf = ${leaf}, salt = ${Buffer.from(salt)}
      WHERE project_id = ${row.project_id} AND name = ${row.name}`.execute(tx);
}

/** Stores the salts of consents, 32 bytes each; their leaves begin at `first`. */
export async function insertSalts(
  tx: DataTx,
  given: { projectIds: readonly string[]; ids: readonly string[]; first: number; salts: Buffer },
): Promise<void> {
  if (given.ids.length === 0) return;
  await sql`
    INSERT INTO consent_salts (project_id, consent_id, leaf, salt)
    SELECT k.project_id, k.id, ${given.first}::bigint + k.at - 1,
      substring(s.salts FROM (32 * (k.at - 1) + 1)::integer FOR 32)
    FROM unnest(${sql.val([...given.projectIds])}::text[], ${sql.val([...given.ids])}::uuid[])
        WITH ORDINALITY AS k(project_id, id, at),
      (SELECT ${given.salts}::bytea AS salts) s`.execute(tx);
}

export interface SaltRow {
  project_id: string;
  leaf: number;
  salt: Buffer;
}

/** The leaf and salt of a consent, for each project: imports may have given several projects the same id. */
export async function listSalts(db: DataDb, consentId: string): Promise<SaltRow[]> {
  const { rows } = await sql<SaltRow>`
    SELECT project_id, leaf, salt FROM consent_salts WHERE consent_id = ${consentId}
    ORDER BY project_id LIMIT 100`.execute(db);
  return rows;
}

/**
 * The projects with a consent of this id that is queued, or was sequenced since. Scans only the first rows of
 * the queue, which has no index: it is longer only while the log is far behind.
 */
export async function listQueuedProjects(db: DataDb, consentId: string): Promise<string[]> {
  const { rows } = await sql<{ project_id: string }>`
    SELECT project_id FROM (
      SELECT project_id, consent_id FROM consent_queue LIMIT ${QUEUED_LOOKED_AT_MAX}
    ) q WHERE consent_id = ${consentId}
    UNION SELECT project_id FROM consent_salts WHERE consent_id = ${consentId}
    ORDER BY project_id LIMIT 100`.execute(db);
  return rows.map(({ project_id: projectId }) => projectId);
}

/** Filters a project's consents to those that the tree of `size` leaves does not have. */
export async function listUnsequenced(
  db: DataDb,
  { projectId, size }: { projectId: string; size: number },
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT k.id FROM unnest(${sql.val([...ids])}::uuid[]) AS k(id)
    WHERE NOT EXISTS (
      SELECT FROM consent_salts s
      WHERE s.consent_id = k.id AND s.project_id = ${projectId} AND s.leaf < ${size} OFFSET 0
    )
    ORDER BY k.id`.execute(db);
  return rows.map((row) => row.id);
}

/** The leaves and salts of those of a project's consents that are in the log. */
export async function listLeaves(
  db: DataDb,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, Pick<SaltRow, "leaf" | "salt">>> {
  const { rows } = await sql<SaltRow & { id: string }>`
    SELECT p.* FROM unnest(${sql.val([...ids])}::uuid[]) AS k(id) CROSS JOIN LATERAL (
      SELECT s.consent_id AS id, s.leaf, s.salt FROM consent_salts s
      WHERE s.consent_id = k.id AND s.project_id = ${projectId} OFFSET 0
    ) p`.execute(db);
  return new Map(rows.map(({ id, leaf, salt }) => [id, { leaf, salt }]));
}

/** Inserts tiles, or replaces them with longer ones. */
export async function writeTiles(tx: DataTx, tiles: readonly Tile[]): Promise<void> {
  await sql`
    INSERT INTO log_tiles (level, number, hashes)
    SELECT * FROM unnest(${sql.val(tiles.map(({ level }) => level))}::smallint[],
      ${sql.val(tiles.map(({ index }) => index))}::bigint[],
      ${sql.val(tiles.map(({ hashes }) => hashes))}::bytea[])
    ON CONFLICT (level, number) DO UPDATE SET hashes = excluded.hashes`.execute(tx);
}

/** A full or partial tile. */
export async function findTile(
  db: DataDb | DataTx,
  { level, index }: Pick<Tile, "level" | "index">,
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom("log_tiles")
    .select("hashes")
    .where("level", "=", level)
    .where("number", "=", index)
    .executeTakeFirst();
  return row?.hashes;
}
