import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { extendTree } from "../../../server/modules/evidence/log/sequence/extend.ts";
import { readLogKeys } from "../../../server/modules/evidence/log/keys.ts";
import { findHead, lockSequencing } from "../../../server/modules/evidence/log/store.ts";
import { TILE_WIDTH } from "@avow/contract/merkle";
import { openDataDatabase } from "../../../server/platform/db/open.ts";
import { inTransaction } from "../../../server/platform/db/transaction.ts";

const STEP = 400 * TILE_WIDTH;
const ENTRY_BYTES = 32;
const POLL_MS = 100;

/**
 * Grows a log to `leaves` leaves with random entries, which look like commitments of other consents. The
 * service's own code writes the tree, its tiles and its signature. Only the records and salts of these
 * leaves are missing; proofs of other leaves do not read them.
 */
export async function growTree(
  { databaseUrl, dataDir }: { databaseUrl: string; dataDir: string },
  leaves: number,
): Promise<void> {
  const log = { warn: (...args: unknown[]) => console.error(...args) };
  const db = openDataDatabase({ url: databaseUrl, poolMax: 1, queueMax: 1, log });
  try {
    for (let size = 0; size < leaves;) {
      const grown = await inTransaction(db, async (tx) => {
        const head = (await lockSequencing(tx)) ? await findHead(tx) : undefined;
        if (!head) return undefined;
        const { origin } = head;
        const count = Math.min(STEP - (head.size % TILE_WIDTH), leaves - head.size);
        if (count <= 0) return head;
        const noise = randomBytes(count * ENTRY_BYTES);
        const entries = Array.from({ length: count }, (_, at) =>
          noise.subarray(at * ENTRY_BYTES, (at + 1) * ENTRY_BYTES),
        );
        const keys = await readLogKeys({ dataDir, origin, keys: undefined });
        return extendTree(tx, { origin, head, term: 0, entries, keys, at: new Date() });
      });
      if (grown === undefined) await delay(POLL_MS);
      else ({ size } = grown);
    }
  } finally {
    await db.destroy();
  }
}
