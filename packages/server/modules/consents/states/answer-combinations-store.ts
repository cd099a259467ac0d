import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { AnswersJson } from "./states-json.ts";

/**
 * First number of answers for all items at once. A version has two or three of them, whatever visitors
 * send, which leaves numbers for hundreds of different versions. They derive from the publication and
 * contain no personal data, so they are never erased.
 */
export const WHOLE_FROM = 1_001;

export interface ChoiceKey {
  projectId: string;
  identifier: string;
}

export interface ChoiceRow {
  choice: number;
  digest: string;
  items: AnswersJson;
}

/** The choices of a configuration with one of these digests. */
export async function listChoicesByDigest(
  db: Db | Tx,
  { projectId, identifier }: ChoiceKey,
  digests: readonly string[],
): Promise<Pick<ChoiceRow, "choice" | "digest">[]> {
  return db
    .selectFrom("choices")
    .select(["choice", "digest"])
    .where("project_id", "=", projectId)
    .where("identifier", "=", identifier)
    .where(sql<boolean>`digest = ANY(${sql.val([...digests])}::text[])`)
    .execute();
}

/** Serializes the numbering of new choices of a configuration. */
export async function lockChoices(tx: Tx, { projectId, identifier }: ChoiceKey): Promise<void> {
  const name = `choices ${projectId} ${identifier}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

/** Assigned numbers: the last below `WHOLE_FROM`, the last from it on, and the count below it. */
export interface AssignedNumbers {
  last: Record<"other" | "whole", number>;
  others: number;
}

/** The numbers assigned in a configuration; that of an erased choice is not reused. */
export async function findAssignedNumbers(
  tx: Tx,
  { projectId, identifier }: ChoiceKey,
): Promise<AssignedNumbers> {
  const { rows } = await sql<Record<"other" | "whole" | "others", number>>`
    SELECT greatest(max(choice) FILTER (WHERE choice < ${WHOLE_FROM}), 0, (
        SELECT choice FROM erased_choices
        WHERE project_id = ${projectId} AND identifier = ${identifier})) AS other,
      greatest(max(choice), ${WHOLE_FROM - 1}) AS whole,
      count(*) FILTER (WHERE choice < ${WHOLE_FROM})::integer AS others
    FROM choices WHERE project_id = ${projectId} AND identifier = ${identifier}
  `.execute(tx);
  const [row] = rows;
  if (!row) throw new Error("an aggregate answered no row");
  const { other, whole, others } = row;
  return { last: { other, whole }, others };
}

/** A combination of answers as rows name it. */
export interface UsedChoice extends ChoiceKey {
  choice: number;
}

/**
 * Keeps these choices from being erased until the transaction ends, as a foreign key would; answers how
 * many of them there are. Those for all at once are never erased, and are not to be asked for.
 */
export async function lockUsedChoices(tx: Tx, used: readonly UsedChoice[]): Promise<number> {
  if (used.length === 0) return 0;
  const { rows } = await sql`
    SELECT 1 FROM json_to_recordset(${JSON.stringify(used)}::json)
      AS k("projectId" text, "identifier" text, "choice" integer)
    CROSS JOIN LATERAL (
      SELECT 1 FROM choices c WHERE c.project_id = k."projectId" AND c.identifier = k."identifier"
        AND c.choice = k."choice" LIMIT 1 FOR KEY SHARE
    ) c`.execute(tx);
  return rows.length;
}

/** True if no row names choice `c`. Each table is probed by index: a join may read whole months. */
const isUnused = sql`
  (SELECT 1 FROM consent_states s WHERE s.project_id = c.project_id AND s.identifier = c.identifier
    AND s.choice = c.choice LIMIT 1) IS NULL
  AND (SELECT 1 FROM past_states s WHERE s.project_id = c.project_id AND s.identifier = c.identifier
    AND s.choice = c.choice LIMIT 1) IS NULL
  AND (SELECT 1 FROM consents r WHERE r.project_id = c.project_id AND r.identifier = c.identifier
    AND r.choice = c.choice AND r.choice < ${sql.lit(WHOLE_FROM)} LIMIT 1) IS NULL`;

function named(choices: readonly object[]): RawBuilder<unknown> {
  return sql`
    json_to_recordset(${JSON.stringify(choices)}::json) AS k("identifier" text, "choice" integer)`;
}

/**
 * Erases those of these choices of a project that no record and no state is told by. Only what nobody
 * else seems to use is locked, so that nobody waits who answers as most do; once it is locked, whoever
 * was about to use it has done so, or finds it gone.
 */
export async function deleteUnusedChoices(
  tx: Tx,
  projectId: string,
  choices: readonly { identifier: string; choice: number }[],
): Promise<void> {
  const isNamed = sql`c.project_id = ${projectId} AND c.identifier = k."identifier" AND c.choice = k."choice"`;
  const { rows } = await sql<{ identifier: string; choice: number }>`
    SELECT c.identifier, c.choice FROM ${named(choices)} JOIN choices c ON ${isNamed}
    WHERE c.choice < ${WHOLE_FROM} AND ${isUnused}
    ORDER BY c.identifier, c.choice FOR UPDATE OF c`.execute(tx);
  if (rows.length === 0) return;
  await sql`
    WITH erased AS (
      DELETE FROM choices c USING ${named(rows)} WHERE ${isNamed} AND ${isUnused}
      RETURNING c.identifier, c.choice
    )
    INSERT INTO erased_choices AS e (project_id, identifier, choice)
    SELECT ${projectId}, identifier, max(choice) FROM erased GROUP BY identifier
    ON CONFLICT (project_id, identifier) DO UPDATE SET choice = greatest(e.choice, excluded.choice)`.execute(
    tx,
  );
}

export async function insertChoice(
  tx: Tx,
  { projectId, identifier }: ChoiceKey,
  { choice, digest, items }: ChoiceRow,
): Promise<void> {
  await sql`
    INSERT INTO choices (project_id, identifier, choice, digest, items)
    VALUES (${projectId}, ${identifier}, ${choice}::integer, ${digest}, ${JSON.stringify(items)}::jsonb)
  `.execute(tx);
}
