import type { Tx } from "../../../../platform/db/db.ts";
import { type RecordedRow, listRecorded } from "../../../consents/commitments/recorded.ts";
import { toEntries } from "./commitments.ts";
import type { Facts } from "./facts.ts";
import { HASH_BYTES } from "@avow/contract/merkle";
import { newSalts } from "../tree/entry.ts";
import { insertSalts, takeQueued } from "../store.ts";

/** What is read, committed to and kept at once: little enough to be young when it is done with. */
const PART_MAX = 4_000;
/** What one transaction takes at most. */
const CONSENTS_MAX = 16_000;

/** Some of what waits: `taken` from the queue. */
interface Part {
  taken: number;
  /** The entries that were made before, which have their places from the part's first leaf on. */
  made: Buffer[];
  /** Those that are to be committed to: their places are behind these. */
  rows: RecordedRow[];
}

const nothing: Part = { taken: 0, made: [], rows: [] };

/**
 * Places consents that wait from leaf `first` on, in parts: while one is committed to, PostgreSQL keeps
 * its salts and reads the next. One that was erased meanwhile has nothing to be committed to. Answers
 * the entries, how many were taken from the queue, and whether more waits.
 */
export async function placeConsents(
  tx: Tx,
  facts: Facts,
  first: number,
): Promise<{ entries: Buffer[]; taken: number; isMore: boolean }> {
  const entries: Buffer[] = [];
  let taken = 0;
  let leaf = first;
  for (let part = await readPart(tx, leaf); part.taken > 0;) {
    const { made, rows } = part;
    taken += part.taken;
    leaf += made.length;
    const salts = newSalts(rows.length);
    const keeping = insertSalts(tx, { ...toKeys(rows), first: leaf, salts });
    leaf += rows.length;
    const isLast = part.taken < PART_MAX || taken >= CONSENTS_MAX;
    const next = leaf;
    const [following, others] = await Promise.all([
      // Kept first: what was queued twice is seen to have its place already.
      keeping.then(() => (isLast ? nothing : readPart(tx, next))),
      // By the transaction's own connection: others, who wait for what it has locked, may have all the rest.
      toEntries(rows, salts, { db: tx, facts }),
    ]);
    for (const entry of made) entries.push(entry);
    for (const entry of others) entries.push(entry);
    part = following;
  }
  return { entries, taken, isMore: taken >= CONSENTS_MAX };
}

async function readPart(tx: Tx, first: number): Promise<Part> {
  const { taken, keys, entries } = await takeQueued(tx, { max: PART_MAX, first });
  const ids = keys.map(({ id }) => id);
  const projectIds = keys.map(({ projectId }) => projectId);
  const rows = ids.length > 0 ? await listRecorded(tx, projectIds, ids) : [];
  return { taken, made: toHashes(entries), rows };
}

function toHashes(all: Buffer): Buffer[] {
  return Array.from({ length: all.length / HASH_BYTES }, (_, at) =>
    all.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );
}

function toKeys(rows: readonly RecordedRow[]): { projectIds: string[]; ids: string[] } {
  return { projectIds: rows.map((row) => row.project_id), ids: rows.map((row) => row.id) };
}
