import type { Scope } from "../../../kernel/actor.ts";
import type { Db } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import type { Page, PageQuery } from "../../../kernel/page.ts";
import { getProject } from "../../vault/documents/access.ts";
import {
  type PublicationRow,
  findNewestPublication,
  listPlacePublications,
} from "./publications-store.ts";
import type { Status } from "./steps.ts";
import {
  type Environment,
  type JobRow,
  type Place,
  findJob,
  findLatestJob,
  listProjectJobs,
} from "./store.ts";

type Order = "asc" | "desc";
interface Sorted extends PageQuery {
  sort?: string | undefined;
}

/**
 * A publish job by its own id, or a project's latest one by the project's (wire section 3).
 * @throws Fault not-found: unknown, or of a project that the scope may not see, which is never told
 */
export async function getJob(db: Db, scope: Scope, id: string): Promise<JobRow> {
  const job = (await findJob(db, id)) ?? (await findLatestJob(db, id));
  if (job && (await isVisible(db, scope, job.project_id))) return job;
  throw new Fault("not-found", `There is no publish job ${id} that you may see.`);
}

/** A publish job by its own id; undefined when it is gone, or of a project that the scope may not see. */
export async function findVisibleJob(
  db: Db,
  scope: Scope,
  id: string,
): Promise<JobRow | undefined> {
  const job = await findJob(db, id);
  return job && (await isVisible(db, scope, job.project_id)) ? job : undefined;
}

/** One page of a project's publish jobs, newest first. Throws as `getProject`, and invalid for `sort`. */
export async function listJobs(
  db: Db,
  scope: Scope,
  query: Sorted & {
    projectId: string;
    environment: Environment | undefined;
    status: Status | undefined;
  },
): Promise<Page<JobRow>> {
  await getProject(db, scope, query.projectId);
  return listProjectJobs(db, { ...query, order: toOrder(query.sort, "createdAt") });
}

/**
 * One page of what was published at a place, newest first, and the version that is live there: in
 * production none after the project was unpublished.
 */
export async function listPublications(
  db: Db,
  scope: Scope,
  { environment, projectId, ...query }: Place & Sorted,
): Promise<Page<PublicationRow> & { liveVersion: number | null }> {
  const project = await getProject(db, scope, projectId);
  const place = { projectId, environment };
  const order = toOrder(query.sort, "version");
  const page = await listPlacePublications(db, place, { ...query, order });
  if (environment === "production") return { ...page, liveVersion: project.live_version };
  return { ...page, liveVersion: (await findNewestPublication(db, place))?.version ?? null };
}

async function isVisible(db: Db, scope: Scope, projectId: string): Promise<boolean> {
  try {
    await getProject(db, scope, projectId);
    return true;
  } catch (error) {
    if (error instanceof Fault && error.kind === "not-found") return false;
    throw error;
  }
}

function toOrder(sort: string | undefined, field: string): Order {
  if (sort === undefined || sort === `-${field}`) return "desc";
  if (sort === field) return "asc";
  const message = `must be ${field} or -${field}`;
  throw new Fault("invalid", `?sort: ${message}`, { faults: [{ path: "?sort", message }] });
}
