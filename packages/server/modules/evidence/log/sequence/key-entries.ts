import type { Db, Tx } from "../../../../platform/db/db.ts";
import { LOG_PROJECT, listAnnounced } from "../announced.ts";
import type { LogKeysOut } from "../schema.ts";
import { type HeadRow, findHead, insertDocument } from "../store.ts";
import { findWitnessed } from "../cosignatures-store.ts";

/** What the names of documents that announce keys begin with. */
const KEY_PREFIX = "key/";

/**
 * Tells the log of keys that did not sign its last tree, each once for ever: an entry with the new key
 * and those that signed before. A tree that has the entry and is signed by one of these carries the
 * trust in them over. The first keys of a log are announced by nothing.
 */
export async function announceKeys(
  tx: Tx,
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

/** Who signs the log, and every key that it announced, with what proves each; undefined before its first tree. */
export async function findLogKeys(db: Db): Promise<LogKeysOut | undefined> {
  const head = await findHead(db);
  if (!head) return undefined;
  return {
    origin: head.origin,
    keys: head.keys,
    witnesses: (await findWitnessed(db))?.witnesses ?? [],
    announced: await listAnnounced(db, { prefix: KEY_PREFIX, size: head.size }),
  };
}

/** The id in a verifier key: `<name>+<id>+<key>`, of which the name has no plus. */
function toKeyId(verifier: string): string {
  return verifier.split("+")[1] ?? verifier;
}
