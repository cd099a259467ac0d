import { sql } from "kysely";
import type { DataDb } from "../../../platform/db/db.ts";

/** The counts of a project in UTC days. */
export interface SiteRow {
  projectId: string;
  /** Whether they are of the earlier of the two periods. */
  isBefore: boolean;
  shown: number;
  accepted: number;
  partly: number;
  refused: number;
  /** Answers to counted displays. */
  displayed: number;
}

/** Sums up the counts of projects of a bucket in two periods of UTC days, which meet at `middle`. */
export async function sumSites(
  data: DataDb,
  {
    projectIds,
    from,
    middle,
    to,
  }: { projectIds: readonly string[]; from: Date; middle: Date; to: Date },
): Promise<SiteRow[]> {
  const own = sql`project_id = ANY(${sql.val([...projectIds])}::text[]) AND day >= ${from} AND day < ${to}`;
  const { rows } = await sql<SiteRow>`
    SELECT project_id AS "projectId", is_before AS "isBefore", sum(shown)::integer AS shown,
      sum(accepted)::integer AS accepted, sum(partly)::integer AS partly, sum(refused)::integer AS refused,
      sum(displayed)::integer AS displayed
    FROM (
      SELECT project_id, day < ${middle} AS is_before, shown, 0 AS accepted, 0 AS partly, 0 AS refused,
        accepted + partly + refused AS displayed FROM display_days WHERE ${own}
      UNION ALL
      SELECT project_id, day < ${middle}, 0, accepted, partly, refused, 0 FROM answer_days WHERE ${own}
    ) d GROUP BY 1, 2`.execute(data);
  return rows;
}
