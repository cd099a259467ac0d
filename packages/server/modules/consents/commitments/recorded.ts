import type { Scope } from "../../../kernel/actor.ts";
import type { Db, Planes, Tx } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { getProject } from "../../vault/documents/access.ts";
import type { RecordedRow } from "../records/row.ts";
import { listRecorded } from "./recorded-store.ts";

export type { RecordedRow } from "../records/row.ts";
/** The part of the store that the evidence module reads. */
export { findAnswersAt, findChoice, listAnswersAt, listRecorded } from "./recorded-store.ts";

/**
 * The record `id` in one of these projects, for a visitor with its token or a user who may read the project's
 * proofs; undefined without a record that the caller may read.
 */
export async function findReadable(
  { db, data }: Planes,
  { projectIds, id }: { projectIds: readonly string[]; id: string },
  caller: { scope: Scope; token: string | undefined },
): Promise<RecordedRow | undefined> {
  const ids = projectIds.map(() => id);
  for (const row of await listRecorded(data, projectIds, ids))
    if (row.token === caller.token || (await mayRead(db, caller.scope, row.project_id))) return row;
  return undefined;
}

async function mayRead(db: Db, scope: Scope, projectId: string): Promise<boolean> {
  try {
    await getProject(db, scope, projectId);
    return true;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

/** @throws Fault not-found, forbidden without the right to read the project's consents */
export async function assertReadable(db: Db, scope: Scope, projectId: string): Promise<void> {
  await getProject(db, scope, projectId);
}

/**
 * The project, for a user who may read its proofs.
 * @throws Fault as `getProject`
 */
export async function getProvenProject(
  db: Db | Tx,
  scope: Scope,
  projectId: string,
): Promise<{ id: string; title: string }> {
  const { id, body } = await getProject(db, scope, projectId);
  return { id, title: body.title };
}

/** Whether the scope may read the project's audit trail. */
export async function mayReadTrail(db: Db | Tx, scope: Scope, projectId: string): Promise<boolean> {
  try {
    await getProject(db, scope, projectId, "readTrail");
    return true;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

/** @throws Fault not-found without the project */
export async function assertProject(db: Db, projectId: string): Promise<void> {
  await getProject(db, { kind: "system" }, projectId);
}
