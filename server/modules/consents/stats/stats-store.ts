import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";
import { lateOf } from "./hours-store.ts";

/** Which counts are asked for: of a project, or of one of its configurations. */
export interface CountsQuery {
  projectId: string;
  identifier: string | undefined;
  /** Where each bucket begins, and where the last one ends. */
  bounds: readonly Date[];
}

/** Sums of one bucket (0 is the first; others than those that were asked for may come, too) and one thing. */
export interface SumRow {
  bucket: number;
  key: string;
  /** 0 for what was collected. */
  shown: number;
  accepted: number;
  partly: number;
  refused: number;
}

/** What is added up: records, or displays with what was answered to them. */
export type Source = "answer_counts" | "display_counts";
/** A column that sums are told by. */
export type Column = "identifier" | "step" | "device";

const columnsOf = {
  answer_counts: ["accepted", "partly", "refused"],
  display_counts: ["shown", "accepted", "partly", "refused"],
} as const;

/**
 * Adds up counts by bucket, and by a column where one is named. An hour is first added to the bucket that it
 * begins in; what of it is after the beginning of another is moved there by rows of their own.
 */
export async function sumCounts(
  db: Db,
  source: Source,
  query: CountsQuery & { column: Column | undefined },
): Promise<SumRow[]> {
  const { projectId, identifier, bounds, column } = query;
  const columns = columnsOf[source];
  const shown = source === "answer_counts" ? sql`0 AS shown,` : sql``;
  const key = sql`${column ? sql.ref(column) : sql.raw("''")} AS key`;
  const own = sql`project_id = ${projectId} AND ${identifier === undefined ? sql`true` : sql`identifier = ${identifier}`}`;
  const sums = sql.raw(columns.map((name) => `sum(${name})::integer AS ${name}`).join());
  const { rows } = await sql<SumRow>`
    SELECT width_bucket(hour, ${sql.val([...bounds])}::timestamptz[]) - 1 AS bucket, ${key}, ${shown} ${sums}
    FROM ${sql.table(source)} WHERE ${own} AND hour >= ${bounds[0]} AND hour < ${bounds.at(-1)}
    GROUP BY 1, 2`.execute(db);
  const cuts = listCuts(bounds);
  if (cuts.length === 0) return rows;
  const late = await sql<SumRow>`
    SELECT c.bucket, ${key}, ${shown} ${lateOf(columns, "c.n")}
    FROM jsonb_to_recordset(${JSON.stringify(cuts)}::jsonb) AS c(at timestamptz, n integer, bucket integer)
    JOIN ${sql.table(source)} ON ${own} AND hour = c.at
    GROUP BY 1, 2`.execute(db);
  return [...rows, ...late.rows, ...late.rows.map(toTaken)];
}

/** Where buckets begin within an hour: at its quarter `n`. */
function listCuts(bounds: readonly Date[]): { at: Date; n: number; bucket: number }[] {
  return bounds.flatMap((bound, bucket) => {
    const n = bound.getUTCMinutes() / 15;
    return n === 0 ? [] : [{ at: new Date(bound.getTime() - n * 900_000), n, bucket }];
  });
}

/** What is moved to a bucket is taken from the one before. */
function toTaken({ bucket, key, shown, accepted, partly, refused }: SumRow): SumRow {
  const taken = { shown: -shown, accepted: -accepted, partly: -partly, refused: -refused };
  return { ...taken, bucket: bucket - 1, key };
}

/** What configurations of a project are called and in which language they speak, also those that were deleted. */
export async function listNamed(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<{ id: string; name: string | null; language: string | null }[]> {
  const { rows } = await sql<{ id: string; name: string | null; language: string | null }>`
    SELECT id, coalesce(nullif(body ->> 'title', ''), nullif(body ->> 'name', '')) AS name,
      body ->> 'language' AS language
    FROM documents WHERE project_id = ${projectId} AND id = ANY(${sql.val([...ids])}::text[])`.execute(
    db,
  );
  return rows;
}
