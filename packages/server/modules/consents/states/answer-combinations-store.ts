import { type RawBuilder, sql } from "kysely";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import type { AnswersJson } from "./states-json.ts";

/**
 * First number of combinations that answer all items at once. A version has only two or three of them, so the numbers
 * suffice for hundreds of versions. They derive from the publication and contain no personal data, so they are never
 * erased.
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

/** The combinations of a configuration with these digests. */
export async function listChoicesByDigest(
  db: DataDb | DataTx,
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

/** Serializes the numbering of new combinations of a configuration. */
export async function lockChoices(tx: DataTx, { projectId, identifier }: ChoiceKey): Promise<void> {
  const name = `choices ${projectId} ${identifier}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

/** Assigned numbers: the last one below `WHOLE_FROM`, the last one from it on, and the count below it. */
export interface AssignedNumbers {
  last: Record<"other" | "whole", number>;
  others: number;
}

/** The numbers assigned in a configuration; numbers of erased combinations are not reused. */
export async function findAssignedNumbers(
  tx: DataTx,
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
  if (!row) throw new Error("an aggregate returned no row");
  const { other, whole, others } = row;
  return { last: { other, whole }, others };
}

/** An answer combination that a row references. */
export interface UsedChoice extends ChoiceKey {
  choice: number;
}

/**
 * Locks these combinations against erasure until the transaction ends, as a foreign key would; returns how many
 * exist. Not for combinations from `WHOLE_FROM` on, which are never erased.
 */
export async function lockUsedChoices(tx: DataTx, used: readonly UsedChoice[]): Promise<number> {
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

/** True if no row references the combination `c`. Probes each table by index: a join may read whole months. */
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
 * Erases those of these combinations that no record or state references. Locks only combinations that seem unused, so
 * that common answers are not blocked. Once one is locked, each concurrent transaction either has written its
 * reference, or will find the combination missing.
 */
export async function deleteUnusedChoices(
  tx: DataTx,
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
  tx: DataTx,
  { projectId, identifier }: ChoiceKey,
  { choice, digest, items }: ChoiceRow,
): Promise<void> {
  await sql`
    INSERT INTO choices (project_id, identifier, choice, digest, items)
    VALUES (${projectId}, ${identifier}, ${choice}::integer, ${digest}, ${JSON.stringify(items)}::jsonb)
  `.execute(tx);
}
