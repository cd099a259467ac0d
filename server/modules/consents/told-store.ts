import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/db.ts";
import type { AnswersJson, ItemsJson } from "./states-json.ts";
import type { ConsentRow } from "./store.ts";

/** A record, and what its token's answers added up to with it, where that is known. */
export type ToldRow = ConsentRow & {
  state_since: Date | null;
  state_items: ItemsJson | null;
  choice_items: AnswersJson | null;
};

/** The records with these keys, without those that an import brought. */
export async function listToldRows(
  db: Db | Tx,
  projectIds: readonly string[],
  ids: readonly string[],
): Promise<ToldRow[]> {
  const { rows } = await sql<ToldRow>`
    SELECT r.*, s.since AS state_since, s.items AS state_items, c.items AS choice_items
    FROM unnest(${sql.val([...projectIds])}::text[], ${sql.val([...ids])}::uuid[]) AS k(project_id, id)
    CROSS JOIN LATERAL (
      SELECT o.* FROM consents o
      WHERE o.project_id = k.project_id AND o.id = k.id AND o.import_id IS NULL OFFSET 0
    ) r
    LEFT JOIN LATERAL (
      SELECT since, items, choice FROM past_states p
      WHERE p.project_id = r.project_id AND p.token = r.token AND p.identifier = r.identifier
        AND p.consent_id = r.id
      UNION ALL
      SELECT since, items, choice FROM consent_states p
      WHERE p.project_id = r.project_id AND p.token = r.token AND p.identifier = r.identifier
        AND p.consent_id = r.id
      LIMIT 1
    ) s ON true
    LEFT JOIN choices c ON c.project_id = r.project_id AND c.identifier = r.identifier AND c.choice = s.choice`.execute(
    db,
  );
  return rows;
}
