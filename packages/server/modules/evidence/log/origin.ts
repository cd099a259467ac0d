import type { Db, Tx } from "../../../platform/db/db.ts";
import { StartError } from "../../../platform/start-error.ts";
import { findHead } from "./store.ts";

/** What of the store commands read. */
export { findHead } from "./store.ts";

/**
 * What the log calls itself (C2SP tlog-checkpoint, origin): what it was called at first, or by the
 * setting EVIDENCE_LOG_ORIGIN, or by the service's address.
 * @throws StartError where the setting says something else than the log
 */
export async function findLogOrigin(
  db: Db,
  { logOrigin, publicUrl }: { logOrigin: string | undefined; publicUrl: string },
): Promise<string> {
  const known = (await findHead(db))?.origin;
  if (known !== undefined && logOrigin !== undefined && known !== logOrigin)
    throw new StartError(
      `EVIDENCE_LOG_ORIGIN is ${logOrigin}, and the log is called ${known}: that never changes.`,
    );
  return known ?? logOrigin ?? `${new URL(publicUrl).host}/log`;
}

/** The checkpoint of the tree that was signed last; undefined before the first. */
export async function findCheckpoint(db: Db | Tx): Promise<string | undefined> {
  return (await findHead(db))?.checkpoint;
}
