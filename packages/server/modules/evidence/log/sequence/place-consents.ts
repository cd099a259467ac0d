import type { DataTx } from "../../../../platform/db/db.ts";
import { type RecordedRow, listRecorded } from "../../../consents/commitments/recorded.ts";
import { toEntries } from "./commitments.ts";
import type { Facts } from "./facts.ts";
import { HASH_BYTES } from "@avow/contract/merkle";
import { newSalts } from "../tree/entry.ts";
import { insertSalts, takeQueued } from "../store.ts";

/** Batch size: small enough that its objects stay in the young generation of the heap. */
const PART_MAX = 4_000;
/** Maximum consents of one transaction. */
const CONSENTS_MAX = 16_000;

/** A batch of queued consents. */
interface Part {
  /** Number of rows removed from the queue. */
  taken: number;
  /** Entries that were computed when the consents were queued; their leaves come first. */
  made: Buffer[];
  /** Consents whose entries have yet to be computed; their leaves follow those of `made`. */
  rows: RecordedRow[];
  traces: string[];
}

/** Consents with leaves, in one stretch. */
export interface PlacedBatch {
  entries: Buffer[];
  /** Number of rows removed from the queue. */
  taken: number;
  /** The `traceparent` of the writes that queued them. */
  traces: readonly string[];
  hasMore: boolean;
}

const nothing: Part = { taken: 0, made: [], rows: [], traces: [] };

/**
 * Assigns leaves from `first` on to queued consents, in batches: while the entries of one are computed, PostgreSQL
 * stores its salts and reads the next. Skips consents that were erased since they were queued. Returns the
 * entries, the number of rows removed from the queue, the traces of their writes, and whether there are more.
 */
export async function placeConsents(tx: DataTx, facts: Facts, first: number): Promise<PlacedBatch> {
  const entries: Buffer[] = [];
  const traces: string[] = [];
  let taken = 0;
  let leaf = first;
  for (let part = await readPart(tx, leaf); part.taken > 0;) {
    const { made, rows } = part;
    taken += part.taken;
    traces.push(...part.traces);
    leaf += made.length;
    const salts = newSalts(rows.length);
    const inserting = insertSalts(tx, { ...toKeys(rows), first: leaf, salts });
    leaf += rows.length;
    const isLast = part.taken < PART_MAX || taken >= CONSENTS_MAX;
    const next = leaf;
    const [following, others] = await Promise.all([
      // After the salts are inserted, so that a consent that was queued twice is skipped.
      inserting.then(() => (isLast ? nothing : readPart(tx, next))),
      // On the transaction's own connection: waiters for its locks may hold all others of the pool.
      toEntries(rows, salts, { db: tx, facts }),
    ]);
    for (const entry of made) entries.push(entry);
    for (const entry of others) entries.push(entry);
    part = following;
  }
  return { entries, taken, traces, hasMore: taken >= CONSENTS_MAX };
}

async function readPart(tx: DataTx, first: number): Promise<Part> {
  const { taken, keys, entries, traces } = await takeQueued(tx, { max: PART_MAX, first });
  const ids = keys.map(({ id }) => id);
  const projectIds = keys.map(({ projectId }) => projectId);
  const rows = ids.length > 0 ? await listRecorded(tx, projectIds, ids) : [];
  return { taken, made: toHashes(entries), rows, traces };
}

/** The entries of a list that was stored as one value. */
export function toHashes(all: Buffer): Buffer[] {
  return Array.from({ length: all.length / HASH_BYTES }, (_, at) =>
    all.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );
}

function toKeys(rows: readonly RecordedRow[]): { projectIds: string[]; ids: string[] } {
  return { projectIds: rows.map((row) => row.project_id), ids: rows.map((row) => row.id) };
}
