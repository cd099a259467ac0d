import { type ExpressionBuilder, type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { ControlTables, PublishJobsTable } from "../../../platform/db/tables.ts";
import type { Page, PageQuery } from "../../../kernel/page.ts";
import type { AsksAgain } from "./materiality.ts";
import type { PublishResults } from "../selection/selection.ts";
import type { Selection } from "../selection/selection.ts";
import type { Status, Step, StepName } from "./steps.ts";

export const environments = ["production", "staging"] as const;
export type Environment = (typeof environments)[number];

/** The project and environment that a file is published to. */
export interface Target {
  projectId: string;
  environment: Environment;
}

/** A published file with its hash for Subresource Integrity. */
export interface PublishedFile {
  key: string;
  integrity: string;
  /** Before compression, in bytes. */
  size: number;
}

/** The errors of the publish check that an owner overrode. */
export interface Overridden {
  errors: number;
  /** The rules, each once. */
  rules: string[];
  /** The owner's reason. */
  reason?: string;
}

/** A person's approval of exactly one content. */
interface GivenApproval {
  id: string;
  /** As they are called in the project, or as the holder of a review link called themselves. */
  name: string;
  approvedAt: string;
  userId?: string;
  /** The review link that it was given by. */
  linkId?: string;
}

/** The approvals of a publication, as its version records them. */
export interface PublicationApproval {
  required: number;
  digest: string;
  approvals: GivenApproval[];
  /** An owner published without the required approvals, with the reason. */
  bypassed?: string;
}

type Row = Selectable<PublishJobsTable>;
type NarrowedColumns =
  | "environment"
  | "status"
  | "step"
  | "steps"
  | "files"
  | "overridden"
  | "asks_again"
  | "selection"
  | "results";
export type JobRow = Omit<Row, NarrowedColumns> & {
  environment: Environment;
  /** `Waiting`, of scheduled jobs, is returned as `Pending`. */
  status: Status | "Waiting";
  step: StepName;
  steps: Step[];
  files: PublishedFile[] | null;
  overridden: Overridden | null;
  asks_again: AsksAgain | null;
  /** Null: everything. */
  selection: Selection | null;
  /** Null before the step `bundle` has ended, and for a rollback. */
  results: PublishResults | null;
  /** Whether an owner publishes without the approvals that are required. */
  skips_approval: boolean;
  /** Null before the step `bundle` has ended, and where none are required. */
  approval: PublicationApproval | null;
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
    | "results"
    | "approval"
  >
>;

const running = ["Pending", "Active"];
const open = [...running, "Waiting"];

/** Inserts a job; undefined if its target has a running job already, or a scheduled one if this one is. */
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
    | "strict"
    | "skips_approval"
  > & { selection: Selection | undefined },
): Promise<JobRow | undefined> {
  const { skips_approval, ...own } = job;
  const row = await tx
    .insertInto("publish_jobs")
    .values({
      ...own,
      steps: JSON.stringify(job.steps),
      selection: job.selection ? JSON.stringify(job.selection) : null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) return undefined;
  if (skips_approval)
    await tx
      .insertInto("publish_job_approvals")
      .values({ job_id: row.id, skips_approval, approval: null })
      .execute();
  return toJobRow({ ...row, skips_approval, approval: null });
}

function selectJobs(db: Db | Tx) {
  return db.selectFrom("publish_jobs").selectAll().select(selectApproval);
}

/** Whether a job skips approvals, and those that it had. */
function selectApproval(job: ExpressionBuilder<ControlTables, "publish_jobs">) {
  const stored = job.selectFrom("publish_job_approvals").whereRef("job_id", "=", "publish_jobs.id");
  return [
    job.exists(stored.select("job_id").where("skips_approval", "=", true)).as("skips_approval"),
    stored.select("approval").as("approval"),
  ];
}

export async function findJob(db: Db | Tx, id: string): Promise<JobRow | undefined> {
  const row = await selectJobs(db).where("id", "=", id).executeTakeFirst();
  return row && toJobRow(row);
}

/** Finds a job and locks it until the transaction ends. */
export async function lockJob(tx: Tx, id: string): Promise<JobRow | undefined> {
  const row = await selectJobs(tx).where("id", "=", id).forUpdate().executeTakeFirst();
  return row && toJobRow(row);
}

/** The running or the scheduled job of a target. */
export async function findOpenJob(
  tx: Tx,
  { projectId, environment }: Target,
  which: "running" | "waiting",
): Promise<JobRow | undefined> {
  const row = await selectJobs(tx)
    .where("project_id", "=", projectId)
    .where("environment", "=", environment)
    .where("status", "in", which === "running" ? running : ["Waiting"])
    .executeTakeFirst();
  return row && toJobRow(row);
}

/**
 * Starts a scheduled job; false if another job of its target is running. The unique index fails one of
 * two concurrent starts.
 */
export async function startScheduledJob(
  tx: Tx,
  { id, now }: { id: string; now: Date },
): Promise<boolean> {
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

/** The project's newest job in any environment. */
export async function findLatestJob(db: Db, projectId: string): Promise<JobRow | undefined> {
  const row = await selectJobs(db)
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

/** One page of a project's jobs by creation time. */
export async function listProjectJobs(db: Db, query: JobsQuery): Promise<Page<JobRow>> {
  const { environment, status } = query;
  let found = db.selectFrom("publish_jobs").where("project_id", "=", query.projectId);
  if (environment) found = found.where("environment", "=", environment);
  if (status)
    found = found.where("status", "in", status === "Pending" ? ["Pending", "Waiting"] : [status]);
  const { total } = await found
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await found
    .selectAll()
    .select(selectApproval)
    .orderBy("created_at", query.order)
    .orderBy("id", query.order)
    .limit(query.perPage)
    .offset((query.page - 1) * query.perPage)
    .execute();
  return { items: rows.map(toJobRow), total };
}

/**
 * Changes a job that has not ended and is still in the step `from`. Returns false and changes nothing if
 * another worker has moved or ended it.
 */
export async function updateJob(
  tx: Tx,
  { id, from, now }: { id: string; from: StepName; now: Date },
  { steps, files, overridden, asks_again, results, approval, ...change }: JobChange,
): Promise<boolean> {
  const json = Object.entries({ steps, files, overridden, asks_again, results })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, JSON.stringify(value)]);
  const result = await tx
    .updateTable("publish_jobs")
    .set({ ...change, ...Object.fromEntries(json), updated_at: now })
    .where("id", "=", id)
    .where("step", "=", from)
    .where("status", "in", open)
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  if (approval) await saveApproval(tx, id, approval);
  return true;
}

async function saveApproval(tx: Tx, jobId: string, given: PublicationApproval): Promise<void> {
  const approval = JSON.stringify(given);
  await tx
    .insertInto("publish_job_approvals")
    .values({ job_id: jobId, approval })
    .onConflict((conflict) => conflict.column("job_id").doUpdateSet({ approval }))
    .execute();
}

/** The project's jobs that have not ended, locked until the transaction ends. */
export async function listOpenJobs(tx: Tx, projectId: string): Promise<JobRow[]> {
  const rows = await selectJobs(tx)
    .where("project_id", "=", projectId)
    .where("status", "in", open)
    .forUpdate()
    .execute();
  return rows.map(toJobRow);
}

/**
 * Running jobs without an update since `before`, and scheduled jobs that are due. This counts as an update.
 * A due job that still cannot start ends its attempt quickly.
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

/** The next version of a target: a number that no job ever had, including failed ones. */
export async function nextVersion(tx: Tx, { projectId, environment }: Target): Promise<number> {
  const row = await tx
    .selectFrom("publish_jobs")
    .select(({ fn }) => fn.max("version").as("last"))
    .where("project_id", "=", projectId)
    .where("environment", "=", environment)
    .executeTakeFirst();
  return (row?.last ?? 0) + 1;
}

/**
 * Locks a project's files until the transaction ends. Waiting can take as long as storage does, so only
 * jobs, of which few run at a time, may take it, never a request.
 */
export async function lockProjectFiles(tx: Tx, projectId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`publish:${projectId}`}, 0))`.execute(
    tx,
  );
}

/** Runs reads in one snapshot of the database. */
export async function readSnapshot<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(read);
}

function toJobRow(row: Row & Record<"skips_approval" | "approval", unknown>): JobRow {
  return row as JobRow;
}
