import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { PublishJobsTable } from "../../../platform/db/tables.ts";
import type { Page, PageQuery } from "../../../kernel/page.ts";
import type { AsksAgain } from "./materiality.ts";
import type { Status, Step, StepName } from "./steps.ts";

export const environments = ["production", "staging"] as const;
export type Environment = (typeof environments)[number];

/** Where a file goes: a project's production or staging address. */
export interface Place {
  projectId: string;
  environment: Environment;
}

/** A published file, and what a browser checks it by (Subresource Integrity). */
export interface PublishedFile {
  key: string;
  integrity: string;
  /** Before compression, in bytes. */
  size: number;
}

/** The errors of the publish check that an owner overrode. */
export interface Overridden {
  errors: number;
  /** Of which rules, each once. */
  rules: string[];
  /** Why, in the words of the owner. */
  reason?: string;
}

type Row = Selectable<PublishJobsTable>;
type Written = "environment" | "status" | "step" | "steps" | "files" | "overridden" | "asks_again";
export type JobRow = Omit<Row, Written> & {
  environment: Environment;
  /** Waiting for its time is answered as Pending. */
  status: Status | "Waiting";
  step: StepName;
  steps: Step[];
  files: PublishedFile[] | null;
  overridden: Overridden | null;
  asks_again: AsksAgain | null;
};

export type JobChange = Partial<
  Pick<
    JobRow,
    | "status"
    | "step"
    | "steps"
    | "message"
    | "content"
    | "hash"
    | "size"
    | "version"
    | "started_at"
    | "ended_at"
    | "unchanged"
    | "files"
    | "overridden"
    | "asks_again"
  >
>;

const running = ["Pending", "Active"];
const open = [...running, "Waiting"];

/** Inserts a job, unless one is running for that place, or waits as this one is to: then answers undefined. */
export async function insertJob(
  tx: Tx,
  job: Pick<
    JobRow,
    | "id"
    | "project_id"
    | "environment"
    | "rollback_of"
    | "status"
    | "step"
    | "steps"
    | "created_at"
    | "created_by"
    | "updated_at"
    | "forced"
    | "force_reason"
    | "publish_at"
  >,
): Promise<JobRow | undefined> {
  const row = await tx
    .insertInto("publish_jobs")
    .values({ ...job, steps: JSON.stringify(job.steps) })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return row && toJobRow(row);
}

export async function findJob(db: Db | Tx, id: string): Promise<JobRow | undefined> {
  const row = await db
    .selectFrom("publish_jobs")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row && toJobRow(row);
}

/** A job that nobody changes until the transaction ends. */
export async function lockJob(tx: Tx, id: string): Promise<JobRow | undefined> {
  const row = await tx
    .selectFrom("publish_jobs")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row && toJobRow(row);
}

/** The job of a place that runs, or the one that waits for its time. */
export async function findOpenJob(
  tx: Tx,
  { projectId, environment }: Place,
  which: "running" | "waiting",
): Promise<JobRow | undefined> {
  const row = await tx
    .selectFrom("publish_jobs")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("environment", "=", environment)
    .where("status", "in", which === "running" ? running : ["Waiting"])
    .executeTakeFirst();
  return row && toJobRow(row);
}

/**
 * Lets a job that waits begin, unless another one of its place is running: then false. Two at once: one
 * fails by the index.
 */
export async function wakeJob(tx: Tx, { id, now }: { id: string; now: Date }): Promise<boolean> {
  const result = await tx
    .updateTable("publish_jobs as j")
    .set({ status: "Pending", updated_at: now })
    .where("id", "=", id)
    .where("status", "=", "Waiting")
    .where((job) =>
      job.not(
        job.exists(
          job
            .selectFrom("publish_jobs as o")
            .select("o.id")
            .whereRef("o.project_id", "=", "j.project_id")
            .whereRef("o.environment", "=", "j.environment")
            .where("o.status", "in", running),
        ),
      ),
    )
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** The project's newest job, whatever its environment. */
export async function findLatestJob(db: Db, projectId: string): Promise<JobRow | undefined> {
  const row = await db
    .selectFrom("publish_jobs")
    .selectAll()
    .where("project_id", "=", projectId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && toJobRow(row);
}

interface JobsQuery extends PageQuery {
  projectId: string;
  environment: Environment | undefined;
  status: Status | undefined;
  order: "asc" | "desc";
}

/** One page of a project's jobs by the time of their making. */
export async function listProjectJobs(db: Db, query: JobsQuery): Promise<Page<JobRow>> {
  const { environment, status } = query;
  let found = db.selectFrom("publish_jobs").where("project_id", "=", query.projectId);
  if (environment) found = found.where("environment", "=", environment);
  // Waiting for its time is answered as Pending.
  if (status)
    found = found.where("status", "in", status === "Pending" ? ["Pending", "Waiting"] : [status]);
  const { total } = await found
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await found
    .selectAll()
    .orderBy("created_at", query.order)
    .orderBy("id", query.order)
    .limit(query.perPage)
    .offset((query.page - 1) * query.perPage)
    .execute();
  return { items: rows.map(toJobRow), total };
}

/**
 * Changes a job that has not ended and is still in `from`; false when somebody else moved or ended
 * it meanwhile: nothing is changed then.
 */
export async function updateJob(
  tx: Tx,
  { id, from, now }: { id: string; from: StepName; now: Date },
  { steps, files, overridden, asks_again, ...change }: JobChange,
): Promise<boolean> {
  const written = Object.entries({ steps, files, overridden, asks_again })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, JSON.stringify(value)]);
  const result = await tx
    .updateTable("publish_jobs")
    .set({ ...change, ...Object.fromEntries(written), updated_at: now })
    .where("id", "=", id)
    .where("step", "=", from)
    .where("status", "in", open)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** The project's jobs that have not ended, locked until the transaction ends. */
export async function listOpenJobs(tx: Tx, projectId: string): Promise<JobRow[]> {
  const rows = await tx
    .selectFrom("publish_jobs")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("status", "in", open)
    .forUpdate()
    .execute();
  return rows.map(toJobRow);
}

/**
 * Jobs that run and that nobody has touched since `before`, and those whose time has come, which are over in
 * a moment when they still cannot begin; touched by this.
 */
export async function updateStaleJobs(
  tx: Tx,
  { before, now, max }: { before: Date; now: Date; max: number },
): Promise<string[]> {
  const stale = tx
    .selectFrom("publish_jobs")
    .select("id")
    .where((job) =>
      job.or([
        job.and([job("status", "in", running), job("updated_at", "<=", before)]),
        job.and([job("status", "=", "Waiting"), job("publish_at", "<=", now)]),
      ]),
    )
    .orderBy("created_at")
    .limit(max)
    .forUpdate()
    .skipLocked();
  const rows = await tx
    .updateTable("publish_jobs")
    .set({ updated_at: now })
    .where("id", "in", stale)
    .returning("id")
    .execute();
  return rows.map((row) => row.id);
}

/** The next version of a place: no job of it, failed ones included, ever had that number. */
export async function nextVersion(tx: Tx, { projectId, environment }: Place): Promise<number> {
  const row = await tx
    .selectFrom("publish_jobs")
    .select(({ fn }) => fn.max("version").as("last"))
    .where("project_id", "=", projectId)
    .where("environment", "=", environment)
    .executeTakeFirst();
  return (row?.last ?? 0) + 1;
}

/** Bytes of a project's documents as text, to know before reading them. */
export async function sumDocumentBytes(db: Db | Tx, projectId: string): Promise<number> {
  const { rows } = await sql<{ bytes: string | number }>`
    SELECT coalesce(sum(octet_length(body::text)), 0)::bigint AS bytes
    FROM documents WHERE project_id = ${projectId} AND deleted_at IS NULL`.execute(db);
  return Number(rows[0]?.bytes ?? 0);
}

/**
 * One who works on a project's files has this until the transaction ends; others wait, as long as storage
 * takes. So it is for jobs, of which a few run at a time, and never for a request.
 */
export async function lockProjectFiles(tx: Tx, projectId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`publish:${projectId}`}, 0))`.execute(
    tx,
  );
}

/** Runs reads that all see the database as it was at one moment. */
export async function readSnapshot<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(read);
}

function toJobRow(row: Row): JobRow {
  return row as JobRow;
}
