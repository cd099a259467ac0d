import type { FastifyBaseLogger } from "fastify";
import type { Planes } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { findProjectState } from "../../vault/documents/access.ts";
import { type CollectingProject, findCollecting, putCollecting } from "./projects-store.ts";

/**
 * The project, by the data plane alone if it knows it; undefined if it does not exist or was deleted. Writers that rely
 * on it must check in the same statement that it has not changed.
 */
export async function findCollectingProject(
  planes: Planes,
  projectId: string,
): Promise<CollectingProject | undefined> {
  const project =
    (await findCollecting(planes.data, projectId)) ?? (await syncProject(planes, projectId));
  return project?.isOpen ? project : undefined;
}

/** @throws Fault not-found without the project */
export async function getCollectingProject(
  planes: Planes,
  projectId: string,
): Promise<CollectingProject> {
  const project = await findCollectingProject(planes, projectId);
  if (!project) throw new Fault("not-found", `There is no project ${projectId}.`);
  return project;
}

/**
 * Copies the state of a project to the data plane: after this, nothing is collected against an older one. Any number of
 * nodes may do so at the same time. Reads again after writing, since a change that committed between the two may have
 * found no row to follow it.
 */
export async function syncProject(
  { db, data }: Planes,
  projectId: string,
): Promise<CollectingProject | undefined> {
  for (let written: number | undefined; ;) {
    const state = await findProjectState(db, projectId);
    if (!state || state.epoch === written) return state;
    await putCollecting(data, { projectId, ...state });
    written = state.epoch;
  }
}

/**
 * Has collection follow a change of a project that was just committed. While the data plane does not respond, nothing is
 * collected either; the job that the change has queued repeats this.
 */
export async function followProject(
  planes: Planes,
  log: Pick<FastifyBaseLogger, "warn">,
  projectId: string,
): Promise<void> {
  await syncProject(planes, projectId).catch((err: unknown) => {
    log.warn({ err, projectId }, "collection does not follow a project yet, will retry");
  });
}
