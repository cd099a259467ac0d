import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/db.ts";

/** An event with its number in the order in which all readers see events. */
export interface NumberedTrailRow {
  position: number;
  id: number;
  name: string;
  actor: string;
  project_id: string | null;
  document_id: string | null;
  organization_id: string | null;
  data: Record<string, unknown>;
  created_at: Date;
}

/** Events after a number, in their order. The feed of webhooks numbers them. */
export async function listNumberedEvents(
  db: Db | Tx,
  { after, limit }: { after: number; limit: number },
): Promise<NumberedTrailRow[]> {
  const { rows } = await sql<NumberedTrailRow>`
    SELECT p.position, e.id, e.name, e.actor, e.project_id, e.document_id, e.organization_id, e.data, e.created_at
    FROM event_positions p JOIN events e ON e.id = p.event_id
    WHERE p.position > ${after} ORDER BY p.position LIMIT ${limit}`.execute(db);
  return rows;
}
