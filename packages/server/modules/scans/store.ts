import { type Selectable, sql } from "kysely";
import type { ScanProgress } from "@avow/scanner";
import type { Page, PageQuery } from "../../kernel/page.ts";
import type { Db, Tx } from "../../platform/db/db.ts";
import type { ScansTable } from "../../platform/db/tables.ts";

export const statuses = ["Pending", "Active", "Done", "Error", "Cancelled"] as const;
type ScanStatus = (typeof statuses)[number];
export const causes = ["request", "schedule", "publication"] as const;
export type ScanCause = (typeof causes)[number];

export type Progress = Pick<ScanProgress, "phase" | "pages" | "pagesMax">;

/** A scan without its result, which lists do not read. */
export type ScanRow = Omit<
  Selectable<ScansTable>,
  "status" | "cause" | "progress" | "result" | "result_hash"
> & {
  status: ScanStatus;
  cause: ScanCause;
  progress: Progress | null;
  result_hash: string | null;
};

const open = ["Pending", "Active"];
const columns = [
  "id",
  "project_id",
  "status",
  "cause",
  "url",
  "pages_max",
  "version",
  "hash",
  "progress",
  "result_hash",
  "message",
  "created_at",
  "created_by",
  "started_at",
  "ended_at",
] as const;

/** Inserts a scan; undefined if the project has an open one already. */
export async function insertScan(
  tx: Tx,
  scan: Pick<
    ScanRow,
    "id" | "project_id" | "status" | "cause" | "url" | "pages_max" | "created_at" | "created_by"
  >,
): Promise<ScanRow | undefined> {
  const row = await tx
    .insertInto("scans")
    .values(scan)
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst();
  return row as ScanRow | undefined;
}

export async function findScan(
  db: Db | Tx,
  { projectId, scanId }: { projectId: string; scanId: string },
): Promise<(ScanRow & { result: string | null }) | undefined> {
  const row = await db
    .selectFrom("scans")
    .select([...columns, "result"])
    .where("id", "=", scanId)
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return row as (ScanRow & { result: string | null }) | undefined;
}

export async function findScanById(db: Db | Tx, id: string): Promise<ScanRow | undefined> {
  const row = await db.selectFrom("scans").select(columns).where("id", "=", id).executeTakeFirst();
  return row as ScanRow | undefined;
}

export async function findOpenScan(tx: Tx, projectId: string): Promise<ScanRow | undefined> {
  const row = await tx
    .selectFrom("scans")
    .select(columns)
    .where("project_id", "=", projectId)
    .where("status", "in", open)
    .executeTakeFirst();
  return row as ScanRow | undefined;
}

/** Number of scans that people asked for since a time. */
export async function countRequestedScans(tx: Tx, projectId: string, since: Date): Promise<number> {
  const { count } = await tx
    .selectFrom("scans")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("project_id", "=", projectId)
    .where("cause", "=", "request")
    .where("created_at", ">", since)
    .executeTakeFirstOrThrow();
  return count;
}

export async function listProjectScans(
  db: Db,
  query: PageQuery & { projectId: string },
): Promise<Page<ScanRow>> {
  const found = db.selectFrom("scans").where("project_id", "=", query.projectId);
  const { total } = await found
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const items = await found
    .select(columns)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(query.perPage)
    .offset((query.page - 1) * query.perPage)
    .execute();
  return { items: items as ScanRow[], total };
}

/** Changes a scan that has not ended; false if it has. */
export async function updateScan(
  db: Db | Tx,
  id: string,
  {
    progress,
    ...change
  }: Partial<
    Pick<
      ScanRow,
      "status" | "version" | "hash" | "message" | "started_at" | "ended_at" | "result_hash"
    >
  > & { progress?: Progress | null; result?: string },
): Promise<boolean> {
  const result = await db
    .updateTable("scans")
    .set({
      ...change,
      ...(progress === undefined ? {} : { progress: progress && JSON.stringify(progress) }),
    })
    .where("id", "=", id)
    .where("status", "in", open)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** The result of the project's newest complete scan before this one. */
export async function findPreviousResult(
  db: Db | Tx,
  { id, project_id: projectId, created_at: createdAt }: ScanRow,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("scans")
    .select("result")
    .where("project_id", "=", projectId)
    .where("status", "=", "Done")
    .where("created_at", "<=", createdAt)
    .where("id", "<>", id)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.result ?? undefined;
}

/** A published project that is due for a scan, by its settings. */
export interface DueProject {
  id: string;
  cause: ScanCause;
}

/**
 * Published projects without an open scan that are due: for their live version, if it was not scanned yet, or since their
 * last scan is older than their interval.
 */
export async function listDueProjects(
  db: Db,
  { now, limit }: { now: Date; limit: number },
): Promise<DueProject[]> {
  const { rows } = await sql<DueProject>`
    SELECT id, cause FROM (
      SELECT d.id,
        CASE
          WHEN (d.body_jsonb -> 'scan' ->> 'afterPublication') = 'true'
            AND NOT EXISTS (SELECT FROM scans s
              WHERE s.project_id = d.id AND s.created_at >= d.published_at)
            THEN 'publication'
          WHEN jsonb_typeof(d.body_jsonb -> 'scan' -> 'everyDays') = 'number'
            AND NOT EXISTS (SELECT FROM scans s WHERE s.project_id = d.id
              AND s.created_at > ${now}::timestamptz
                - make_interval(days => (d.body_jsonb -> 'scan' ->> 'everyDays')::numeric::int))
            THEN 'schedule'
        END AS cause
      FROM documents d
      WHERE d.resource = 'projects' AND d.deleted_at IS NULL AND d.body_jsonb ? 'scan'
        AND d.live_version IS NOT NULL
        AND NOT EXISTS (SELECT FROM scans s
          WHERE s.project_id = d.id AND s.status IN ('Pending', 'Active'))
    ) AS due
    WHERE cause IS NOT NULL ORDER BY id LIMIT ${limit}`.execute(db);
  return rows;
}

/** Fails scans that have run or waited since before these times: their worker died, or there is none. */
export async function failStaleScans(
  db: Db,
  { now, active, pending }: { now: Date; active: Date; pending: Date },
): Promise<void> {
  await db
    .updateTable("scans")
    .set({
      status: "Error",
      message: "The scan did not end. Scan the site again.",
      progress: null,
      ended_at: now,
    })
    .where((scan) =>
      scan.or([
        scan.and([scan("status", "=", "Active"), scan("started_at", "<", active)]),
        scan.and([scan("status", "=", "Pending"), scan("created_at", "<", pending)]),
      ]),
    )
    .execute();
}

/** Deletes old scans, except the first complete one of each published version, which is evidence. */
export async function deleteScansBefore(db: Db, before: Date): Promise<void> {
  await sql`
    DELETE FROM scans s WHERE s.ended_at < ${before}
      AND (s.version IS NULL OR s.status <> 'Done' OR EXISTS (
        SELECT FROM scans o WHERE o.project_id = s.project_id AND o.version = s.version
          AND o.status = 'Done' AND (o.created_at, o.id) < (s.created_at, s.id)))`.execute(db);
}
