import { sql } from "kysely";
import type { DataDb } from "../../../platform/db/db.ts";
import { consentsWith, listArchived, listArchivedIn } from "../archive/archived.ts";

/** Selects consents of a project, optionally of one token, by a range of ids, which are in time order. */
export interface Selection {
  projectId: string;
  token?: string | undefined;
  /** Inclusive. */
  from?: string | undefined;
  /** Exclusive. */
  to: string;
}

/** The first ids of a selection, oldest first. */
export async function listSelectedIds(
  db: DataDb,
  selection: Selection,
  limit: number,
): Promise<string[]> {
  const window = { order: "asc", limit, isOutline: true } as const;
  const { rows: archived } = await listArchivedIn(db, selection, window);
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM ${consentsWith(archived)} c WHERE ${conditionsOf(selection)} ORDER BY id LIMIT ${limit}
  `.execute(db);
  return rows.map((row) => row.id);
}

/** A ranked range of a selection: its number of ids, the last id, and the ids with the lowest ranks. */
export interface RankedRange {
  count: number;
  last: string | null;
  first: { id: string; rank: Buffer }[];
}

/**
 * Ranks the next `length` ids after `after` by SHA-256 of `seed:id`. Returns the `limit` lowest ranks below `below`.
 * Reads the primary key only, and row groups of archived months.
 */
export async function rankRange(
  db: DataDb,
  selection: Selection & { after: string | undefined },
  ranking: { seed: string; length: number; limit: number; below: Buffer | undefined },
): Promise<RankedRange> {
  const { seed, length, limit, below } = ranking;
  const { after } = selection;
  const window = { order: "asc", after, limit: length, isOutline: true } as const;
  const { rows: archived } = await listArchivedIn(db, selection, window);
  const { rows } = await sql<{ id: string | null; rank: Buffer | null; count: number | null }>`
    WITH stretch AS MATERIALIZED (
      SELECT id FROM ${consentsWith(archived)} c
      WHERE ${conditionsOf(selection)} AND ${after === undefined ? sql`true` : sql`id > ${after}`}
      ORDER BY id LIMIT ${length}
    ), ranked AS (
      SELECT id, sha256(convert_to(${seed}::text || ':' || id::text, 'UTF8')) AS rank FROM stretch
    )
    (SELECT id, rank, NULL::float8 AS count FROM ranked
      WHERE ${below === undefined ? sql`true` : sql`rank < ${below}`} ORDER BY rank LIMIT ${limit})
    UNION ALL
    (SELECT (array_agg(id))[count(*)], NULL, count(*)::float8 FROM stretch)
  `.execute(db);
  const end = rows.find((row) => row.count !== null);
  const first = rows.flatMap(({ id, rank }) =>
    id !== null && rank !== null ? [{ id, rank }] : [],
  );
  return { count: end?.count ?? 0, last: end?.id ?? null, first };
}

function conditionsOf({ projectId, token, from, to }: Selection) {
  const conditions = [sql`project_id = ${projectId}`, sql`id < ${to}`];
  if (token !== undefined) conditions.push(sql`token = ${token}`);
  if (from !== undefined) conditions.push(sql`id >= ${from}`);
  return sql.join(conditions, sql` AND `);
}

/** The distinct versions and configurations of these records. */
export async function listShownTo(
  db: DataDb,
  projectId: string,
  ids: readonly string[],
): Promise<{ version: number | null; identifier: string }[]> {
  const archived = await listArchived(
    db,
    ids.map((id) => ({ projectId, id })),
  );
  const { rows } = await sql<{ version: number | null; identifier: string }>`
    SELECT DISTINCT r.version, r.identifier
    FROM unnest(${sql.val([...ids])}::uuid[]) AS k(id) CROSS JOIN LATERAL (
      SELECT o.version, o.identifier FROM ${consentsWith(archived)} o
      WHERE o.project_id = ${projectId} AND o.id = k.id OFFSET 0
    ) r ORDER BY r.version, r.identifier`.execute(db);
  return rows;
}
