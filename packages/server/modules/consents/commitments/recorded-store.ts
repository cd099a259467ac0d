import { sql } from "kysely";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import { type RecordedRow, columnNames, columns } from "../records/row.ts";
import { type ArchivedRow, consentsWith, listArchived } from "../archive/archived.ts";
import type { AnswersJson } from "../states/states-json.ts";

/** JSON as stored text: parsing and serializing it again could change the bytes that the log commits to. */
const recorded = columnNames
  .filter((name) => name !== "warnings")
  .map((name) => (columns[name].type === "json" ? `o.${name}::text AS ${name}` : `o.${name}`))
  .join(", ");

/** The records with these keys. */
export async function listRecorded(
  db: DataDb | DataTx,
  projectIds: readonly string[],
  ids: readonly string[],
): Promise<RecordedRow[]> {
  const live = await listRecordedIn(db, { projectIds, ids, archived: [] });
  if (live.length === ids.length) return live;
  const known = new Set(live.map((row) => `${row.project_id} ${row.id}`));
  const missing = ids
    .map((id, at) => ({ projectId: projectIds[at] ?? "", id }))
    .filter(({ projectId, id }) => !known.has(`${projectId} ${id}`));
  const archived = await listArchived(db, missing);
  if (archived.length === 0) return live;
  const keys = {
    projectIds: archived.map((row) => row.project_id),
    ids: archived.map((row) => row.id),
  };
  return [...live, ...(await listRecordedIn(db, { ...keys, archived }))];
}

/** Looks the records up one by one: a join may read whole months. */
async function listRecordedIn(
  db: DataDb | DataTx,
  {
    projectIds,
    ids,
    archived,
  }: Record<"projectIds" | "ids", readonly string[]> & { archived: readonly ArchivedRow[] },
): Promise<RecordedRow[]> {
  const { rows } = await sql<RecordedRow>`
    SELECT r.*
    FROM unnest(${sql.val([...projectIds])}::text[], ${sql.val([...ids])}::uuid[]) AS k(project_id, id)
    CROSS JOIN LATERAL (
      SELECT ${sql.raw(recorded)}
      FROM ${consentsWith(archived)} o WHERE o.project_id = k.project_id AND o.id = k.id OFFSET 0
    ) r`.execute(db);
  return rows;
}

/** The answers of a combination, which never change. */
export async function findChoice(
  db: DataDb | DataTx,
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

/**
 * The answers by item of the consent state that this record resulted in; they distinguish withdrawals from refusals.
 * Undefined if that state no longer exists.
 */
export async function findAnswersAt(
  db: DataDb,
  of: { projectId: string; token: string; identifier: string; consentId: string },
): Promise<AnswersJson | undefined> {
  const { projectId, token, identifier, consentId } = of;
  const key = sql`project_id = ${projectId} AND token = ${token} AND identifier = ${identifier}
    AND consent_id = ${consentId}`;
  const { rows } = await sql<{ answers: AnswersJson | null }>`
    SELECT coalesce(s.items, c.items) AS answers
    FROM (
      SELECT choice, items FROM past_states WHERE ${key}
      UNION ALL
      SELECT choice, items FROM consent_states WHERE ${key}
    ) s
    LEFT JOIN choices c
      ON c.project_id = ${projectId} AND c.identifier = ${identifier} AND c.choice = s.choice
    LIMIT 1`.execute(db);
  return rows[0]?.answers ?? undefined;
}

/** As `findAnswersAt`, for many records of a project, by their ids. */
export async function listAnswersAt(
  db: DataDb,
  projectId: string,
  of: readonly Pick<RecordedRow, "id" | "token" | "identifier">[],
): Promise<Map<string, AnswersJson>> {
  const key = sql`project_id = ${projectId} AND token = k.token AND identifier = k.identifier
    AND consent_id = k.id`;
  const { rows } = await sql<{ id: string; answers: AnswersJson }>`
    SELECT k.id, coalesce(s.items, c.items) AS answers
    FROM unnest(${sql.val(of.map(({ id }) => id))}::uuid[],
      ${sql.val(of.map(({ token }) => token))}::text[],
      ${sql.val(of.map(({ identifier }) => identifier))}::text[]) AS k(id, token, identifier)
    CROSS JOIN LATERAL (
      SELECT choice, items FROM past_states WHERE ${key}
      UNION ALL
      SELECT choice, items FROM consent_states WHERE ${key}
      LIMIT 1
    ) s
    LEFT JOIN choices c
      ON c.project_id = ${projectId} AND c.identifier = k.identifier AND c.choice = s.choice
    WHERE coalesce(s.items, c.items) IS NOT NULL`.execute(db);
  return new Map(rows.map(({ id, answers }) => [id, answers]));
}
