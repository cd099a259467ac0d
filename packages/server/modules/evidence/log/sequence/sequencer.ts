import type { FastifyBaseLogger } from "fastify";
import type { Db, Tx } from "../../../../platform/db/db.ts";
import { inTransaction } from "../../../../platform/db/transaction.ts";
import type { Facts } from "./facts.ts";
import { extendTree } from "./extend.ts";
import { announceKeys } from "./key-entries.ts";
import type { LogKeys } from "../keys.ts";
import type { NoteKey } from "../note.ts";
import { placeConsents } from "./place-consents.ts";
import { newSalts, saltOf, toCanonical, toEntry } from "../tree/entry.ts";
import type { Intervals } from "../../../../kernel/intervals.ts";
import { openWorkerLoop } from "../../../../platform/queues/worker-loop.ts";
import {
  findHead,
  listQueuedDocuments,
  lockSequencing,
  updateDocuments,
  vacuumQueue,
} from "../store.ts";

/** Documents that one transaction puts into the tree at most. */
const DOCUMENTS_MAX = 200;
/** After a failure, and while another node is at it. */
const RETRY_MS = 1_000;
/** What was taken from the queue and not yet cleared away: little enough to be read past. */
const TAKEN_MAX = 20_000;
/** The same while more waits, which clearing reads past in its turn. */
const TAKEN_MAX_BEHIND = 100_000;

/** How many consents a batch took from the queue, and whether more waits after it. */
interface Batch {
  taken: number;
  isMore: boolean;
}

export interface SequencerOptions {
  db: Db;
  now: () => Date;
  log: Pick<FastifyBaseLogger, "error" | "info">;
  /** What the log calls itself, for ever: the first line of its checkpoints. */
  origin: string;
  keys: LogKeys;
  facts: Facts;
  intervals: Intervals;
}

/**
 * Opens the background work that puts what waits into the tree and signs it. Any number of nodes may
 * have it open: one is at it at a time. Disposed, it ends after the batch that it is at.
 */
export function openSequencer(options: SequencerOptions): AsyncDisposable {
  // The keys that this node has signed with: a tree is signed again once after they changed, and not
  // because another node still has others.
  let signing: readonly NoteKey[] | undefined;
  let taken = 0;
  const round = async (): Promise<number> => {
    const keys = await options.keys.read();
    const batch = await sequenceBatch(options, { keys, isNew: keys !== signing });
    if (batch === undefined) return RETRY_MS;
    signing = keys;
    taken += batch.taken;
    if (taken >= (batch.isMore ? TAKEN_MAX_BEHIND : TAKEN_MAX)) {
      taken = 0;
      await vacuumQueue(options.db);
    }
    return batch.isMore ? 0 : options.intervals.logMs;
  };
  return openWorkerLoop(round, {
    retryMs: RETRY_MS,
    onError: (error) => options.log.error({ err: error }, "the log was not gone on with"),
  });
}

/**
 * Puts what waits into the tree, as much as one transaction may, and signs the tree that comes out.
 * All of it is committed at once, or none: no entry twice, none lost, and no two trees of one size.
 * Undefined while another node is at it.
 */
async function sequenceBatch(
  { db, now, origin, facts }: SequencerOptions,
  { keys, isNew }: { keys: readonly NoteKey[]; isNew: boolean },
): Promise<Batch | undefined> {
  return inTransaction(db, async (tx) => {
    if (!(await lockSequencing(tx))) return undefined;
    const head = await findHead(tx);
    if (head && head.origin !== origin)
      throw new Error(`The log is ${head.origin}, and not ${origin}: its name never changes.`);
    const size = head?.size ?? 0;
    const verifiers = keys.map(({ verifier }) => verifier);
    const isOther = isNew && verifiers.join() !== head?.keys.join();
    if (isOther && head) await announceKeys(tx, { head, verifiers, at: now() });
    const documents = await placeDocuments(tx, size);
    const consents = await placeConsents(tx, facts, size + documents.length);
    const isMore = consents.isMore || documents.length === DOCUMENTS_MAX;
    const batch = { taken: consents.taken, isMore };
    const entries = [...documents, ...consents.entries];
    if (entries.length === 0 && head && !isOther) return batch;
    await extendTree(tx, { origin, head, entries, keys, at: now() });
    return batch;
  });
}

/** Places the documents that wait from leaf `first` on; answers their entries. */
async function placeDocuments(tx: Tx, first: number): Promise<Buffer[]> {
  const rows = await listQueuedDocuments(tx, DOCUMENTS_MAX);
  const salts = newSalts(rows.length);
  const placed = rows.map((row, at) => ({ row, leaf: first + at, salt: saltOf(salts, at) }));
  await updateDocuments(tx, placed);
  return placed.map(({ row, salt }) => toEntry(toCanonical(row.document), salt));
}
