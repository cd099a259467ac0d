import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

/** Consents of a project by their ids, which are by time: of one token, and between two ids, where given. */
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
  db: Db,
  selection: Selection,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM consents WHERE ${conditionsOf(selection)} ORDER BY id LIMIT ${limit}
  `.execute(db);
  return rows.map((row) => row.id);
}

/** A stretch of a selection: how many ids it has, the last of them, and those that rank first. */
export interface RankedStretch {
  count: number;
  last: string | null;
  first: { id: string; rank: Buffer }[];
}

/**
 * Ranks a stretch of `length` ids, after `after`, by SHA-256 of `seed:id`. Answers the `limit` lowest of
 * them, no higher than `below`. Only the primary key is read.
 */
export async function rankStretch(
  db: Db,
  selection: Selection & { after: string | undefined },
  ranking: { seed: string; length: number; limit: number; below: Buffer | undefined },
): Promise<RankedStretch> {
  const { seed, length, limit, below } = ranking;
  const { after } = selection;
  const { rows } = await sql<{ id: string | null; rank: Buffer | null; count: number | null }>`
    WITH stretch AS MATERIALIZED (
      SELECT id FROM consents
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

/** Which versions and configurations these records were given under. */
export async function listShownTo(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<{ version: number | null; identifier: string }[]> {
  const { rows } = await sql<{ version: number | null; identifier: string }>`
    SELECT DISTINCT r.version, r.identifier
    FROM unnest(${sql.val([...ids])}::uuid[]) AS k(id) CROSS JOIN LATERAL (
      SELECT o.version, o.identifier FROM consents o
      WHERE o.project_id = ${projectId} AND o.id = k.id OFFSET 0
    ) r ORDER BY r.version, r.identifier`.execute(db);
  return rows;
}
