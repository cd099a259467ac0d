import { sql } from "kysely";
import type { DataDb } from "../../../../platform/db/db.ts";

export interface OfferRow {
  identifier: string;
  version: number;
  item: string;
  collection: string;
  name: string;
  substance: string;
  covers: string[];
  required: boolean;
  expires_after_days: number | null;
}

export async function listOfferingVersions(
  db: DataDb,
  projectId: string,
  identifiers: readonly string[],
): Promise<{ identifier: string; version: number }[]> {
  const { rows } = await sql<{ identifier: string; version: number }>`
    SELECT identifier, version FROM offers
    WHERE project_id = ${projectId} AND identifier = ANY(${sql.val([...identifiers])}::text[]) AND item = ''
    ORDER BY identifier, version`.execute(db);
  return rows;
}

export async function listOffersOf(
  db: DataDb,
  projectId: string,
  wanted: readonly { identifier: string; version: number }[],
): Promise<OfferRow[]> {
  const { rows } = await sql<OfferRow>`
    SELECT o.identifier, o.version, o.item, o.collection, o.name, o.substance, o.covers, o.required,
      o.expires_after_days
    FROM json_to_recordset(${JSON.stringify(wanted)}::json) AS w("identifier" text, "version" integer)
    JOIN offers o ON o.project_id = ${projectId} AND o.version = w."version" AND o.identifier = w."identifier"
    ORDER BY o.identifier, o.version, o.item`.execute(db);
  return rows;
}
