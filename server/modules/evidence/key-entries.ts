import type { Tx } from "../../platform/db/db.ts";
import { type HeadRow, insertDocument } from "./store.ts";

/** What the log itself tells of belongs to no project. */
export const LOG_PROJECT = "";
/** What the names of documents that announce keys begin with. */
export const KEY_PREFIX = "key/";

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

/** The id in a verifier key: `<name>+<id>+<key>`, of which the name has no plus. */
function toKeyId(verifier: string): string {
  return verifier.split("+")[1] ?? verifier;
}
