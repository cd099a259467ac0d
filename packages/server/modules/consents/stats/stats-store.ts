import { sql } from "kysely";
import type { DataDb } from "../../../platform/db/db.ts";
import { lateOf } from "../displays/hours-store.ts";
import type { RecordGroup } from "./schema.ts";
import type { Unit } from "./span.ts";

const DAY_MS = 86_400_000;

/** Selects counts of a project, or of one of its configurations. */
export interface CountsQuery {
  projectId: string;
  identifier: string | undefined;
  /** The start of each bucket, and the end of the last one. */
  bounds: readonly Date[];
  /** The unit of a bucket. */
  by: Unit;
}

/** A range of hours to move from one bucket to another. */
interface Move {
  begin: Date;
  /** Exclusive. */
  end: Date;
  bucket: number;
  from: number;
}

/** Sums of a bucket (0 is the first; rows may include buckets outside of the period) and a key. */
export interface SumRow {
  bucket: number;
  key: string;
  /** 0 for counts of answers. */
  shown: number;
  accepted: number;
  partly: number;
  refused: number;
}

/** The source of counts: records, or displays and the answers to them. */
export type Source = "answer_counts" | "display_counts";
/** A column to group by. */
export type Column = "identifier" | "step" | "device";

const columnsOf = {
  answer_counts: ["accepted", "partly", "refused"],
  display_counts: ["shown", "accepted", "partly", "refused"],
} as const;
const daysOf = { answer_counts: "answer_days", display_counts: "display_days" } as const;

/**
 * Sums up counts by bucket, optionally grouped by a column, in one statement and so in one snapshot. A stored count (of
 * a UTC day or of an hour) is added to one bucket: an hour to that in which it starts, a day to that with the nearest
 * start. The parts that belong to the neighbouring bucket are then moved.
 */
export async function sumCounts(
  db: DataDb,
  source: Source,
  query: CountsQuery & { column: Column | undefined },
): Promise<SumRow[]> {
  const { projectId, identifier, bounds, by, column } = query;
  const columns = columnsOf[source];
  const { starts, moves } = by === "day" ? toDays(bounds) : { starts: bounds, moves: [] };
  const [kept, at] = by === "day" ? [daysOf[source], "day"] : [source, "hour"];
  const shown = source === "answer_counts" ? sql`0 AS shown,` : sql``;
  const key = sql`${column ? sql.ref(column) : sql.raw("''")} AS key`;
  const own = sql`project_id = ${projectId} AND ${identifier === undefined ? sql`true` : sql`identifier = ${identifier}`}`;
  const sums = sql.raw(columns.map((name) => `sum(${name})::integer AS ${name}`).join());
  const { rows } = await sql<SumRow & { from: number | null }>`
    SELECT width_bucket(${sql.ref(at)}, ${sql.val([...starts])}::timestamptz[]) - 1 AS bucket, NULL::integer AS "from",
      ${key}, ${shown} ${sums}
    FROM ${sql.table(kept)} WHERE ${own} AND ${sql.ref(at)} >= ${starts[0]} AND ${sql.ref(at)} < ${starts.at(-1)}
    GROUP BY 1, 3
    UNION ALL
    SELECT m.bucket, m."from", h.*
    FROM jsonb_to_recordset(${JSON.stringify(moves)}::jsonb)
      AS m("begin" timestamptz, "end" timestamptz, bucket integer, "from" integer)
    CROSS JOIN LATERAL (
      SELECT ${key}, ${shown} ${sums} FROM ${sql.table(source)}
      WHERE ${own} AND hour >= m."begin" AND hour < m."end" GROUP BY 1
    ) h
    UNION ALL
    SELECT c.bucket, c.bucket - 1, ${key}, ${shown} ${lateOf(columns, "c.n")}
    FROM jsonb_to_recordset(${JSON.stringify(listCuts(bounds))}::jsonb) AS c(at timestamptz, n integer, bucket integer)
    JOIN ${sql.table(source)} ON ${own} AND hour = c.at
    GROUP BY 1, 3`.execute(db);
  return rows.flatMap(({ from, ...row }) =>
    from === null ? [row] : [row, { ...toTaken(row), bucket: from }],
  );
}

/** Sums up the answers of a dimension of records by UTC day; `bounds` are UTC days. */
export async function sumGroups(
  db: DataDb,
  { projectId, bounds, group }: Pick<CountsQuery, "projectId" | "bounds"> & { group: RecordGroup },
): Promise<SumRow[]> {
  const { rows } = await sql<SumRow>`
    SELECT width_bucket(day, ${sql.val([...bounds])}::timestamptz[]) - 1 AS bucket, key, 0 AS shown, accepted, partly,
      refused
    FROM answer_groups
    WHERE project_id = ${projectId} AND dimension = ${group} AND day >= ${bounds[0]} AND day < ${bounds.at(-1)}`.execute(
    db,
  );
  return rows;
}

/**
 * The UTC days nearest to the starts of buckets, and the hours between the two, which must be moved from the bucket to
 * which their day is added.
 */
function toDays(bounds: readonly Date[]): { starts: Date[]; moves: Move[] } {
  const starts = bounds.map((bound) => new Date(Math.round(bound.getTime() / DAY_MS) * DAY_MS));
  const moves = starts.flatMap((start, bucket) => {
    const bound = bounds[bucket] ?? start;
    if (bound < start) return [{ begin: bound, end: start, bucket, from: bucket - 1 }];
    if (bound > start) return [{ begin: start, end: bound, bucket: bucket - 1, from: bucket }];
    return [];
  });
  return { starts, moves };
}

/** The buckets that start within an hour, at its quarter `n`. */
function listCuts(bounds: readonly Date[]): { at: Date; n: number; bucket: number }[] {
  return bounds.flatMap((bound, bucket) => {
    const n = bound.getUTCMinutes() / 15;
    return n === 0 ? [] : [{ at: new Date(bound.getTime() - n * 900_000), n, bucket }];
  });
}

/** The negative sums, to subtract from the bucket that a move takes from. */
function toTaken({ shown, accepted, partly, refused, ...place }: SumRow): SumRow {
  return { ...place, shown: -shown, accepted: -accepted, partly: -partly, refused: -refused };
}
