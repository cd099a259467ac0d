import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/db.ts";
import type { AnswersJson } from "./states-json.ts";

/** A record as it is committed to: all that is kept of it, as the database has it. */
export interface RecordedRow {
  project_id: string;
  id: string;
  token: string;
  collection: string;
  identifier: string;
  accept: boolean;
  choice: number | null;
  answers: AnswersJson | null;
  /** As JSON. */
  preferences: string | null;
  /** As JSON. */
  value: string | null;
  language: string | null;
  url: string | null;
  client_at: Date | null;
  country: string | null;
  user_agent: string;
  version: number | null;
  import_id: string | null;
  created_at: Date;
}

/** The records with these keys. Each is looked up for itself: a join may read whole months. */
export async function listRecorded(
  db: Db | Tx,
  projectIds: readonly string[],
  ids: readonly string[],
): Promise<RecordedRow[]> {
  const { rows } = await sql<RecordedRow>`
    SELECT r.*
    FROM unnest(${sql.val([...projectIds])}::text[], ${sql.val([...ids])}::uuid[]) AS k(project_id, id)
    CROSS JOIN LATERAL (
      SELECT o.project_id, o.id, o.token, o.collection, o.identifier, o.accept, o.choice, o.answers,
        o.preferences::text AS preferences, o.value::text AS value, o.language, o.url, o.client_at, o.country, o.user_agent, o.version,
        o.import_id, o.created_at
      FROM consents o WHERE o.project_id = k.project_id AND o.id = k.id OFFSET 0
    ) r`.execute(db);
  return rows;
}

/** What a choice stands for; it never changes. */
export async function findChoice(
  db: Db | Tx,
  key: { projectId: string; identifier: string; choice: number },
): Promise<AnswersJson | undefined> {
  const row = await db
    .selectFrom("choices")
    .select("items")
    .where("project_id", "=", key.projectId)
    .where("identifier", "=", key.identifier)
    .where("choice", "=", key.choice)
    .executeTakeFirst();
  return row?.items as AnswersJson | undefined;
}
