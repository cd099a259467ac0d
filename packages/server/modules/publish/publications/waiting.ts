import type { Scope } from "../../../kernel/actor.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { Fault } from "../../../platform/errors.ts";
import { isDocumentId } from "../../../kernel/ids.ts";
import { getProject } from "../../vault/documents/access.ts";
import type { Publishing } from "./publishing.ts";
import { type JobRow, startScheduledJob } from "./store.ts";

/**
 * Starts a scheduled job that is due. Returns false if it is not due or another job of its target runs;
 * `resumeJobs` retries each minute. The requesting user must still have the right to publish.
 * @throws Fault not-found when the project was deleted, forbidden when the user has lost the right
 */
export async function startIfDue(
  app: Pick<Publishing, "db" | "now">,
  { id, project_id: projectId, publish_at: publishAt, created_by: by, ...job }: JobRow,
): Promise<boolean> {
  const now = app.now();
  if (publishAt && publishAt > now) return false;
  const scope: Scope = isDocumentId(by) ? { kind: "user", userId: by } : { kind: "system" };
  const right = job.forced || job.skips_approval ? "own" : "publish";
  await getProject(app.db, { kind: "system" }, projectId);
  await assertStillAllowed(app, scope, { projectId, right });
  return inTransaction(app.db, (tx) => startScheduledJob(tx, { id, now }));
}

async function assertStillAllowed(
  { db }: Pick<Publishing, "db">,
  scope: Scope,
  { projectId, right }: { projectId: string; right: "own" | "publish" },
): Promise<void> {
  try {
    await getProject(db, scope, projectId, right);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const lost = right === "own" ? "owns the project" : "may publish the project";
    const detail = `The user who scheduled this no longer ${lost}. The live version stays live. Another member can publish again.`;
    throw new Fault("forbidden", detail, { cause: error });
  }
}
