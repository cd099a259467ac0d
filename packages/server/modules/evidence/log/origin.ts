import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import { StartError } from "../../../platform/start-error.ts";
import { findHead } from "./store.ts";

/** The part of the store that commands read. */
export { findHead, findStoppedReason } from "./store.ts";

/**
 * The log's origin (C2SP tlog-checkpoint): that of its first tree, else the setting EVIDENCE_LOG_ORIGIN,
 * else one derived from the service's address.
 * @throws StartError if the setting differs from the log's origin
 */
export async function findLogOrigin(
  db: DataDb,
  { logOrigin, publicUrl }: { logOrigin: string | undefined; publicUrl: string },
): Promise<string> {
  const known = (await findHead(db))?.origin;
  if (known !== undefined && logOrigin !== undefined && known !== logOrigin)
    throw new StartError(
      `EVIDENCE_LOG_ORIGIN is ${logOrigin}, but the origin of the log is ${known} and cannot change. Remove the setting.`,
    );
  return known ?? logOrigin ?? `${new URL(publicUrl).host}/log`;
}

/** The latest checkpoint; undefined before the first. */
export async function findCheckpoint(db: DataDb | DataTx): Promise<string | undefined> {
  return (await findHead(db))?.checkpoint;
}
