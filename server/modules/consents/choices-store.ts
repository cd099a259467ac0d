import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/db.ts";
import type { AnswersJson } from "./states-json.ts";

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

/** Lets one transaction after the other number new choices of a configuration. */
export async function lockChoices(tx: Tx, { projectId, identifier }: ChoiceKey): Promise<void> {
  const name = `choices ${projectId} ${identifier}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

/** The last number that a configuration has given below `wholeFrom`, and from there on. */
export async function findLastChoices(
  tx: Tx,
  { projectId, identifier }: ChoiceKey,
  wholeFrom: number,
): Promise<{ other: number; whole: number }> {
  const { rows } = await sql<{ other: number | null; whole: number | null }>`
    SELECT max(choice) FILTER (WHERE choice < ${wholeFrom}) AS other,
      max(choice) FILTER (WHERE choice >= ${wholeFrom}) AS whole
    FROM choices WHERE project_id = ${projectId} AND identifier = ${identifier}
  `.execute(tx);
  const { other, whole } = rows[0] ?? {};
  return { other: other ?? 0, whole: whole ?? wholeFrom - 1 };
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
