import type { Scope } from "../../platform/actor.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { isDocumentId } from "../../platform/ids.ts";
import { getProject } from "../vault/access.ts";
import type { Publishing } from "./publishing.ts";
import { type JobRow, wakeJob } from "./store.ts";

/**
 * Lets a publication begin whose time has come; false while it has not, or while another one of its place
 * runs: the queue asks again each minute. Who asked for it must still have the right.
 * @throws Fault not-found, forbidden when they have not
 */
export async function wake(
  app: Pick<Publishing, "db" | "now">,
  { id, project_id: projectId, publish_at: publishAt, created_by: by, forced }: JobRow,
): Promise<boolean> {
  const now = app.now();
  if (publishAt && publishAt > now) return false;
  const scope: Scope = isDocumentId(by) ? { kind: "user", userId: by } : { kind: "system" };
  await getProject(app.db, scope, projectId, forced ? "own" : "publish");
  return inTransaction(app.db, (tx) => wakeJob(tx, { id, now }));
}
