import { sql } from "kysely";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";

/** Creates empty temporary tables for `addAnswers`, for one transaction. */
export async function createRecounted(tx: DataTx): Promise<void> {
  await sql`CREATE TEMPORARY TABLE recounted (LIKE answer_counts INCLUDING ALL) ON COMMIT DROP`.execute(
    tx,
  );
  await sql`CREATE TEMPORARY TABLE recounted_days (LIKE answer_days INCLUDING ALL) ON COMMIT DROP`.execute(
    tx,
  );
  await sql`CREATE TEMPORARY TABLE recounted_groups (LIKE answer_groups INCLUDING ALL) ON COMMIT DROP`.execute(
    tx,
  );
}

/** The condition for the counts of one project, or of all. */
const within = (projectId: string | undefined) =>
  projectId === undefined ? sql`true` : sql`project_id = ${projectId}`;

/** Daily display counts, summed up from the hourly ones. */
const displayDays = (projectId: string | undefined) => sql`
  SELECT project_id, date_bin('1 day', hour, timestamptz '2000-01-01 00:00Z') AS day, identifier, step, device,
    sum(shown)::integer AS shown, sum(accepted)::integer AS accepted, sum(partly)::integer AS partly,
    sum(refused)::integer AS refused
  FROM display_counts WHERE ${within(projectId)} GROUP BY 1, 2, 3, 4, 5`;

/**
 * Counts the differences from a recount: of answers by hour, day and group, and of displays by day from displays by hour,
 * which cannot be derived from records.
 */
export async function countDifferences(tx: DataTx, projectId: string | undefined): Promise<number> {
  const own = within(projectId);
  const { rows } = await sql<{ count: number }>`
    WITH displays AS MATERIALIZED (${displayDays(projectId)})
    SELECT (
      (SELECT count(*) FROM (SELECT * FROM answer_counts WHERE ${own} EXCEPT TABLE recounted) d)
      + (SELECT count(*) FROM (SELECT * FROM recounted WHERE ${own} EXCEPT TABLE answer_counts) d)
      + (SELECT count(*) FROM (SELECT * FROM answer_days WHERE ${own} EXCEPT TABLE recounted_days) d)
      + (SELECT count(*) FROM (SELECT * FROM recounted_days WHERE ${own} EXCEPT TABLE answer_days) d)
      + (SELECT count(*) FROM (SELECT * FROM answer_groups WHERE ${own} EXCEPT TABLE recounted_groups) d)
      + (SELECT count(*) FROM (SELECT * FROM recounted_groups WHERE ${own} EXCEPT TABLE answer_groups) d)
      + (SELECT count(*) FROM (SELECT * FROM display_days WHERE ${own} EXCEPT TABLE displays) d)
      + (SELECT count(*) FROM (TABLE displays EXCEPT SELECT * FROM display_days WHERE ${own}) d)
    )::integer AS count`.execute(tx);
  return rows[0]?.count ?? 0;
}

/**
 * Replaces counts by those of the recount. Blocks writers of display counts, which keep their sums in memory until
 * then.
 */
export async function replaceCounts(tx: DataTx, projectId: string | undefined): Promise<void> {
  const own = within(projectId);
  for (const [table, recount] of [
    ["answer_counts", "recounted"],
    ["answer_days", "recounted_days"],
    ["answer_groups", "recounted_groups"],
  ] as const) {
    await sql`DELETE FROM ${sql.table(table)} WHERE ${own}`.execute(tx);
    await sql`INSERT INTO ${sql.table(table)} SELECT * FROM ${sql.table(recount)} WHERE ${own}`.execute(
      tx,
    );
  }
  await sql`LOCK TABLE display_counts IN SHARE ROW EXCLUSIVE MODE`.execute(tx);
  await sql`DELETE FROM display_days WHERE ${own}`.execute(tx);
  await sql`INSERT INTO display_days ${displayDays(projectId)}`.execute(tx);
}

/** Deletes counts before the day (UTC) of an instant, so that a day is deleted together with its hours. */
export async function deleteCountsBefore(db: DataDb, instant: Date): Promise<void> {
  const before = new Date(instant);
  before.setUTCHours(0, 0, 0, 0);
  for (const table of ["answer_counts", "display_counts"] as const)
    await db.deleteFrom(table).where("hour", "<", before).execute();
  for (const table of ["answer_days", "answer_groups", "display_days"] as const)
    await db.deleteFrom(table).where("day", "<", before).execute();
}
