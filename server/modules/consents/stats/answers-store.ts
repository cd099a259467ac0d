import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { addedTo, hourOf, sumsOf } from "./hours-store.ts";

/** Of one after the other: `answer_counts`, or a table like it. */
export type CountsTable = "answer_counts" | "recounted";

const columns = ["accepted", "partly", "refused"];

/** How many of the log's entries are counted; undefined while another node counts. */
export async function lockHead(
  tx: Tx,
  { isWaiting }: { isWaiting: boolean },
): Promise<{ leaf: number } | undefined> {
  const { rows } = await sql<{ leaf: number }>`
    SELECT leaf FROM answer_counts_head WHERE id = 1
    FOR UPDATE ${sql.raw(isWaiting ? "" : "SKIP LOCKED")}`.execute(tx);
  return rows[0];
}

/** `until`: when the newest of what is counted was collected; null: nothing was. */
export async function updateHead(
  tx: Tx,
  { leaf, until }: { leaf: number; until: Date | null },
): Promise<void> {
  await sql`
    UPDATE answer_counts_head SET leaf = ${leaf}, counted_until = greatest(counted_until, ${until}::timestamptz)
    WHERE id = 1`.execute(tx);
}

/** How far counting is. */
export async function findHead(db: Db): Promise<{ leaf: number; until: Date | null }> {
  const { rows } = await sql<{ leaf: number; until: Date | null }>`
    SELECT leaf, counted_until AS until FROM answer_counts_head WHERE id = 1`.execute(db);
  return rows[0] ?? { leaf: 0, until: null };
}

/**
 * Adds records to counts, those of them that are still there and that no import brought: these were asked
 * elsewhere. Answers when the newest of them was collected. What a record's answers amount to is what `toKind`
 * says; it is worked out once for each choice.
 */
export async function addAnswers(
  tx: Tx,
  table: CountsTable,
  { projectIds, ids }: { projectIds: readonly string[]; ids: readonly string[] },
): Promise<Date | null> {
  const { rows } = await sql<{ until: Date | null }>`
    WITH r AS (
      SELECT o.project_id, date_bin('15 minutes', o.created_at, timestamptz '2000-01-01 00:00Z') AS slot,
        o.identifier, o.accept, o.choice, CASE WHEN o.choice IS NULL THEN o.answers END AS answers,
        count(*)::integer AS n, max(o.created_at) AS newest
      FROM unnest(${sql.val([...projectIds])}::text[], ${sql.val([...ids])}::uuid[]) AS k(project_id, id)
      CROSS JOIN LATERAL (
        SELECT c.* FROM consents c
        WHERE c.project_id = k.project_id AND c.id = k.id AND c.import_id IS NULL OFFSET 0
      ) o
      GROUP BY 1, 2, 3, 4, 5, 6
    ), kinds AS (
      SELECT r.project_id, r.slot, r.identifier, r.newest,
        CASE WHEN k.is_all THEN r.n END AS accepted, CASE WHEN k.is_none THEN r.n END AS refused,
        CASE WHEN NOT k.is_all AND NOT k.is_none THEN r.n END AS partly
      FROM r LEFT JOIN choices c ON c.project_id = r.project_id AND c.identifier = r.identifier AND c.choice = r.choice
      CROSS JOIN LATERAL (
        SELECT count(*) AS asked, count(*) FILTER (WHERE e.value ->> 'answer' = 'accepted') AS accepted
        FROM jsonb_each(coalesce(r.answers, c.items, '{}')) AS e WHERE e.key <> ''
      ) i
      CROSS JOIN LATERAL (
        SELECT CASE WHEN i.asked = 0 THEN r.accept ELSE i.accepted = i.asked END AS is_all,
          CASE WHEN i.asked = 0 THEN NOT r.accept ELSE i.accepted = 0 END AS is_none
      ) k
    ), added AS (
      INSERT INTO ${sql.table(table)} AS a (project_id, hour, identifier, accepted, partly, refused, quarters)
      SELECT project_id, ${hourOf()}, identifier, ${sumsOf(columns)}
      FROM kinds GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      ON CONFLICT (project_id, hour, identifier) DO UPDATE SET ${addedTo("a", columns)}
    )
    SELECT max(newest) AS until FROM kinds`.execute(tx);
  return rows[0]?.until ?? null;
}

/** Makes an empty table for one transaction, which `addAnswers` can count into. */
export async function createRecounted(tx: Tx): Promise<void> {
  await sql`CREATE TEMPORARY TABLE recounted (LIKE answer_counts INCLUDING ALL) ON COMMIT DROP`.execute(
    tx,
  );
}

/** Which counts there are: of one project, or of all. */
const within = (projectId: string | undefined) =>
  projectId === undefined ? sql`true` : sql`project_id = ${projectId}`;

/** How many counts differ from what was counted anew. */
export async function countDifferences(tx: Tx, projectId: string | undefined): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM (
      (SELECT * FROM answer_counts WHERE ${within(projectId)} EXCEPT TABLE recounted)
      UNION ALL (SELECT * FROM recounted WHERE ${within(projectId)} EXCEPT TABLE answer_counts)
    ) d`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Puts what was counted anew in the place of what there was. */
export async function replaceCounts(tx: Tx, projectId: string | undefined): Promise<void> {
  await sql`DELETE FROM answer_counts WHERE ${within(projectId)}`.execute(tx);
  await sql`INSERT INTO answer_counts SELECT * FROM recounted WHERE ${within(projectId)}`.execute(
    tx,
  );
}

/** Forgets counts of before an instant. */
export async function deleteCountsBefore(db: Db, before: Date): Promise<void> {
  for (const table of ["answer_counts", "display_counts"] as const)
    await db.deleteFrom(table).where("hour", "<", before).execute();
}
