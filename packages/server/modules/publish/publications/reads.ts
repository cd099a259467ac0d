import type { Vendor } from "@avow/contract/configuration";
import { parseContent, stepsOf } from "@avow/contract/published";
import type { Scope } from "../../../kernel/actor.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import type { Page, PageQuery } from "../../../kernel/page.ts";
import { getProject } from "../../vault/documents/access.ts";
import {
  type PublicationRow,
  findNewestPublication,
  findPublication,
  listTargetPublications,
} from "./publications-store.ts";
import type { Status } from "./steps.ts";
import {
  type Environment,
  type JobRow,
  type Target,
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
 * @throws Fault not-found: unknown, or of a project that the scope may not see, which the error does not reveal
 */
export async function getJob(db: Db, scope: Scope, id: string): Promise<JobRow> {
  const job = (await findJob(db, id)) ?? (await findLatestJob(db, id));
  if (job && (await isVisible(db, scope, job.project_id))) return job;
  throw new Fault("not-found", `There is no publish job ${id} that you may see.`);
}

/** A publish job by its own id; undefined when it does not exist or the scope may not see its project. */
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
 * One page of publications, newest first, and the live version: null in production after the project was
 * unpublished.
 */
export async function listPublications(
  db: Db,
  scope: Scope,
  { environment, projectId, ...query }: Target & Sorted,
): Promise<Page<PublicationRow> & { liveVersion: number | null }> {
  const project = await getProject(db, scope, projectId);
  const target = { projectId, environment };
  const order = toOrder(query.sort, "version");
  const page = await listTargetPublications(db, target, { ...query, order });
  if (environment === "production") return { ...page, liveVersion: project.live_version };
  return { ...page, liveVersion: (await findNewestPublication(db, target))?.version ?? null };
}

/** The version of a project that visitors get, with its vendors, each once; undefined without one. */
export async function findLivePublication(
  db: Db | Tx,
  projectId: string,
): Promise<{ version: number; hash: string; vendors: Vendor[] } | undefined> {
  const { live_version: version } = await getProject(db, { kind: "system" }, projectId);
  if (version === null) return undefined;
  const found = await findPublication(db, { projectId, environment: "production" }, version);
  if (!found) return undefined;
  const vendors = parseContent(found.content)
    .cookies.flatMap(stepsOf)
    .flatMap((step) => step.vendors ?? []);
  const byName = new Map(vendors.map((vendor) => [vendor.name, vendor]));
  return { version, hash: found.hash, vendors: [...byName.values()] };
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
