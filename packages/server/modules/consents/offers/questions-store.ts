import { sql } from "kysely";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import type { Agreement } from "./agreement.ts";

/** An earlier offer of an item. */
export interface EarlierOffer {
  identifier: string;
  item: string;
  substance: string;
  covers: string[];
  required: boolean;
  /** Null for versions older than this column. */
  agreed: Agreement | null;
}

/** The offers of all versions before `before`: the newest one of each item and substance, newest first. */
export async function listEarlierOffers(
  db: DataDb | DataTx,
  { projectId, before }: { projectId: string; before: number },
): Promise<EarlierOffer[]> {
  const { rows } = await sql<EarlierOffer>`
    SELECT identifier, item, substance, covers, required, agreed FROM (
      SELECT DISTINCT ON (identifier, item, substance)
        identifier, item, substance, covers, required, agreed, version
      FROM offers WHERE project_id = ${projectId} AND version < ${before}
      ORDER BY identifier, item, substance, version DESC
    ) o ORDER BY version DESC`.execute(db);
  return rows;
}

/** A superseded substance of an item. */
export interface SupersededOffer {
  identifier: string;
  item: string;
  substance: string;
}

/** Counts the distinct tokens that have accepted one of these offers, up to `max`. */
export async function countAcceptors(
  db: DataDb | DataTx,
  { projectId, asked, max }: { projectId: string; asked: readonly SupersededOffer[]; max: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    WITH superseded AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
        AS a("identifier" text, "item" text, "substance" text)
    ), chosen AS (
      SELECT DISTINCT c.identifier, c.choice FROM superseded a
      JOIN choices c ON c.project_id = ${projectId} AND c.identifier = a.identifier
      WHERE c.items #>> ARRAY[a.item, 'answer'] = 'accepted'
        AND c.items #>> ARRAY[a.item, 'substance'] = a.substance
    )
    SELECT count(*)::integer AS count FROM (
      SELECT DISTINCT token FROM (
        SELECT s.token FROM chosen h JOIN consent_states s
          ON s.project_id = ${projectId} AND s.identifier = h.identifier AND s.choice = h.choice
        UNION ALL
        SELECT s.token FROM superseded a JOIN consent_states s
          ON s.project_id = ${projectId} AND s.identifier = a.identifier AND s.choice IS NULL
        WHERE s.items #>> ARRAY[a.item, 'answer'] = 'accepted'
          AND s.items #>> ARRAY[a.item, 'substance'] = a.substance
      ) t LIMIT ${max}
    ) n`.execute(db);
  return rows[0]?.count ?? 0;
}
