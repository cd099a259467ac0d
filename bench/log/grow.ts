import { randomBytes } from "node:crypto";
import { inTransaction } from "../../server/platform/db/transaction.ts";
import { openDatabase } from "../../server/platform/db/open.ts";
import {
  findHead,
  lockSequencing,
  replaceHead,
  writeTiles,
} from "../../server/modules/evidence/store.ts";
import { readTile } from "../../server/modules/evidence/tiles.ts";
import {
  type Edge,
  TILE_WIDTH,
  appendEntries,
  edgeTiles,
} from "../../server/modules/evidence/tree.ts";
import { setTimeout as delay } from "node:timers/promises";

const STEP = 100 * TILE_WIDTH;
const ENTRY_BYTES = 32;

/**
 * Grows a log to `leaves` leaves with entries of noise. What it signs last is no signature: the
 * service signs anew with the next consent.
 */
export async function growTree(databaseUrl: string, leaves: number): Promise<void> {
  const log = { warn: (...told: unknown[]) => console.error(...told) };
  const db = openDatabase({ url: databaseUrl, poolMax: 1, queueMax: 1, log });
  try {
    for (let size = 0; size < leaves;) {
      const grown = await inTransaction(db, async (tx) => {
        const head = (await lockSequencing(tx)) ? await findHead(tx) : undefined;
        if (!head) return undefined;
        const count = Math.min(STEP - (head.size % TILE_WIDTH), leaves - head.size);
        if (count <= 0) return head.size;
        const levels = [];
        for (const tile of edgeTiles(head.size)) levels.push(await readTile(tx, tile));
        const edge: Edge = { size: head.size, levels };
        const noise = randomBytes(count * ENTRY_BYTES);
        const entries = Array.from({ length: count }, (_, at) =>
          noise.subarray(at * ENTRY_BYTES, (at + 1) * ENTRY_BYTES),
        );
        const grownTo = appendEntries(edge, entries);
        await writeTiles(tx, grownTo.tiles);
        await replaceHead(tx, head.size, { ...head, size: grownTo.edge.size });
        return grownTo.edge.size;
      });
      if (grown === undefined) await delay(100);
      else size = grown;
    }
  } finally {
    await db.destroy();
  }
}
