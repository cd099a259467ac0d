import type { DataDb, DataTx } from "../../../../platform/db/db.ts";
import { LOG_PROJECT, listAnnouncements } from "../announcements.ts";
import type { LogKeysOut } from "../schema.ts";
import { type HeadRow, findHead, insertDocument } from "../store.ts";
import { findWitnessed } from "../cosignatures-store.ts";

/** Name prefix of documents that announce keys. */
const KEY_PREFIX = "key/";

/**
 * Queues an entry for each key that did not sign the latest tree, once per key: it has the new key and those that
 * signed before. A tree that contains the entry and is signed by one of these transfers the trust in them to
 * the new key. The first keys of a log are not announced.
 */
export async function announceKeys(
  tx: DataTx,
  { head, verifiers, at }: { head: HeadRow; verifiers: readonly string[]; at: Date },
): Promise<void> {
  if (head.keys.length === 0) return;
  for (const key of verifiers.filter((verifier) => !head.keys.includes(verifier)))
    await insertDocument(tx, {
      projectId: LOG_PROJECT,
      name: `${KEY_PREFIX}${toKeyId(key)}`,
      document: {
        type: "key",
        v: 1,
        origin: head.origin,
        key,
        signedBy: head.keys,
        announcedAt: at.toISOString(),
      },
    });
}

/** The keys that sign the log, and the entries of all announced keys; undefined before the first tree. */
export async function findLogKeys(db: DataDb): Promise<LogKeysOut | undefined> {
  const head = await findHead(db);
  if (!head) return undefined;
  return {
    origin: head.origin,
    keys: head.keys,
    witnesses: (await findWitnessed(db))?.witnesses ?? [],
    announced: await listAnnouncements(db, { prefix: KEY_PREFIX, size: head.size }),
  };
}

/** The id in a verifier key, `<name>+<id>+<key>`. The name contains no plus sign. */
function toKeyId(verifier: string): string {
  return verifier.split("+")[1] ?? verifier;
}
