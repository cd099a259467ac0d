import type { Scope } from "../../../kernel/actor.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { Fault } from "../../../platform/errors.ts";
import { isDocumentId } from "../../../kernel/ids.ts";
import { getProject } from "../../vault/documents/access.ts";
import type { Publishing } from "./publishing.ts";
import { type JobRow, wakeJob } from "./store.ts";

/**
 * Lets a publication begin whose time has come; false while it has not, or while another one of its place
 * runs: the queue asks again each minute (`resumeJobs`). Who asked for it must still have the right.
 * @throws Fault not-found when the project was deleted, forbidden when they have it no more
 */
export async function wake(
  app: Pick<Publishing, "db" | "now">,
  { id, project_id: projectId, publish_at: publishAt, created_by: by, forced }: JobRow,
): Promise<boolean> {
  const now = app.now();
  if (publishAt && publishAt > now) return false;
  const scope: Scope = isDocumentId(by) ? { kind: "user", userId: by } : { kind: "system" };
  await getProject(app.db, { kind: "system" }, projectId);
  await assertMayStill(app, scope, { projectId, right: forced ? "own" : "publish" });
  return inTransaction(app.db, (tx) => wakeJob(tx, { id, now }));
}

async function assertMayStill(
  { db }: Pick<Publishing, "db">,
  scope: Scope,
  { projectId, right }: { projectId: string; right: "own" | "publish" },
): Promise<void> {
  try {
    await getProject(db, scope, projectId, right);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const what = right === "own" ? "owns the project no more" : "may publish the project no more";
    const detail = `Who asked for this ${what}. What is live stays live: somebody who may asks again.`;
    throw new Fault("forbidden", detail, { cause: error });
  }
}
