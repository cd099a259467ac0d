import type { FastifyBaseLogger } from "fastify";
import type { Bucket, Buckets } from "../../../../platform/db/buckets/buckets.ts";
import type { DataTx } from "../../../../platform/db/db.ts";
import type { Tracing } from "../../../../platform/telemetry/tracing.ts";
import { inTransaction } from "../../../../platform/db/transaction.ts";
import {
  type ConfirmTree,
  type KnownTree,
  StoppedLogError,
  findContinuedHead,
  toKnownTree,
} from "./continuity.ts";
import type { Facts } from "./facts.ts";
import { extendTree } from "./extend.ts";
import { announceKeys } from "./key-entries.ts";
import type { LogKeys } from "../keys.ts";
import type { NoteKey } from "../note.ts";
import { placeBucket } from "./place-bucket.ts";
import { type PlacedBatch, placeConsents } from "./place-consents.ts";
import { endPlacing, readPlacingTurn, hasQueued } from "./placing-store.ts";
import { newSalts, saltOf, toCanonical, toEntry } from "../tree/entry.ts";
import type { Intervals } from "../../../../kernel/intervals.ts";
import { openWorkerLoop } from "../../../../platform/queues/worker-loop.ts";
import {
  type HeadRow,
  listQueuedDocuments,
  lockSequencing,
  stopLog,
  updateDocuments,
  vacuumQueue,
} from "../store.ts";

/** Maximum documents of one transaction. */
const DOCUMENTS_MAX = 200;
/** Retry interval after a failure, and while another node holds the lock. */
const RETRY_MS = 1_000;
/** Retry interval while the log is stopped. */
const STOPPED_RETRY_MS = 10_000;
/** Rows removed from the queue before it is vacuumed: few enough that reads scan past them quickly. */
const TAKEN_MAX = 20_000;
/** The same while the queue is long, which makes the vacuum itself slower. */
const TAKEN_MAX_BEHIND = 100_000;

interface Batch {
  /** Number of rows removed from the queue. */
  taken: number;
  hasMore: boolean;
  /** The traces of the writes whose consents were appended. */
  traces: readonly string[];
  leaves: number;
}

const nothing: Batch = { taken: 0, hasMore: false, traces: [], leaves: 0 };

export interface SequencerOptions {
  buckets: Buckets;
  now: () => Date;
  log: Pick<FastifyBaseLogger, "error" | "info">;
  /** The first line of the log's checkpoints (C2SP tlog-checkpoint), which never changes. */
  origin: string;
  keys: LogKeys;
  facts: Facts;
  intervals: Intervals;
  confirmTree: ConfirmTree;
  tracing?: Tracing | undefined;
}

/**
 * Starts the worker that appends queued consents and documents to the tree and signs it. Every node may run it; a
 * lock lets one sequence at a time. Disposal waits for the current batch.
 */
export function openSequencer(options: SequencerOptions): AsyncDisposable {
  // The keys that this node signed with last. A tree is signed again once after they changed, but not because
  // another node still uses the old ones.
  let signing: readonly NoteKey[] | undefined;
  const taken = new Map<Bucket, number>();
  const memory: Memory = { known: undefined, confirmedIn: undefined };
  const round = async (signal: AbortSignal): Promise<number> => {
    const keys = await options.keys.read();
    let [hasMore, hasFailed] = [false, false];
    for (const bucket of options.buckets.list()) {
      const startedAt = new Date();
      const given = { bucket, keys, isNew: keys !== signing, memory };
      const batch = await sequenceBatch(options, given).catch((err: unknown) => {
        // The server of a bucket may be away, which must not delay the others.
        if (bucket === options.buckets.home || err instanceof StoppedLogError) throw err;
        options.log.error({ err, bucket: bucket.name }, "bucket not sequenced, will retry");
        hasFailed = true;
        return nothing;
      });
      if (batch === undefined) return RETRY_MS;
      if ("unconfirmed" in batch) return confirm(options, { memory, ...batch, signal });
      signing = keys;
      hasMore ||= batch.hasMore;
      const { leaves, traces: causes } = batch;
      if (causes.length > 0)
        options.tracing
          ?.startSpan("append to log", { causes, startedAt, attributes: { "avow.leaves": leaves } })
          .end();
      const count = (taken.get(bucket) ?? 0) + batch.taken;
      const isDue = count >= (batch.hasMore ? TAKEN_MAX_BEHIND : TAKEN_MAX);
      if (isDue) await vacuumQueue(bucket.data);
      taken.set(bucket, isDue ? 0 : count);
    }
    if (hasFailed) return RETRY_MS;
    return hasMore ? 0 : options.intervals.logMs;
  };
  const guarded = (signal: AbortSignal) =>
    round(signal).catch((error: unknown) => {
      if (error instanceof StoppedLogError) return stop(options, error);
      throw error;
    });
  return openWorkerLoop(guarded, {
    retryMs: RETRY_MS,
    onError: (error) => options.log.error({ err: error }, "sequencing failed, will retry"),
  });
}

/** Facts about the log that this process remembers beside the database. */
interface Memory {
  known: KnownTree | undefined;
  /** The timeline of the database in which third parties confirmed the latest tree. */
  confirmedIn: string | undefined;
}

/** A tree that was signed before the database's timeline changed. */
interface Unconfirmed {
  unconfirmed: HeadRow;
  timeline: string;
}

/** Asks third parties about a tree. Returns the pause before the next round. */
async function confirm(
  { buckets, log, confirmTree }: SequencerOptions,
  given: Unconfirmed & { memory: Memory; signal: AbortSignal },
): Promise<number> {
  const { memory, unconfirmed, timeline, signal } = given;
  const confirmation = await confirmTree(unconfirmed, signal);
  if (confirmation.kind === "contradicted") await stopLog(buckets.home.data, confirmation.reason);
  else if (confirmation.kind === "confirmed") memory.confirmedIn = timeline;
  else log.error({ timeline }, "log waits for a witness after a change of the database's timeline");
  return confirmation.kind === "confirmed" ? 0 : RETRY_MS;
}

/** Stores and logs that the log is stopped. Returns the pause before the next round. */
async function stop(
  { buckets, log }: SequencerOptions,
  { message }: StoppedLogError,
): Promise<number> {
  log.error({ reason: message }, "log stopped, since the database lacks entries of it");
  await stopLog(buckets.home.data, message);
  return STOPPED_RETRY_MS;
}

/**
 * Appends one batch of a bucket to the tree and signs the new tree, in one transaction: no entry is lost or duplicated,
 * and no two trees have the same size. Documents are appended with the home bucket. Undefined if another node holds the
 * lock.
 */
async function sequenceBatch(
  options: SequencerOptions,
  {
    bucket,
    keys,
    isNew,
    memory,
  }: { bucket: Bucket; keys: readonly NoteKey[]; isNew: boolean; memory: Memory },
): Promise<Batch | Unconfirmed | undefined> {
  const { buckets, now, origin, facts } = options;
  const isHome = bucket === buckets.home;
  let known = memory.known;
  const sequenced = await inTransaction(buckets.home.data, async (tx) => {
    if (!(await lockSequencing(tx))) return undefined;
    const { head, continuity } = await findContinuedHead(tx, memory.known);
    const { timeline, signedIn } = continuity;
    if (head) known = toKnownTree(head, timeline);
    const isMoved = signedIn !== null && timeline !== null && signedIn !== timeline;
    if (head && isMoved && memory.confirmedIn !== timeline) return { unconfirmed: head, timeline };
    if (head && head.origin !== origin)
      throw new Error(`The log's origin is ${head.origin} and cannot change to ${origin}.`);
    const size = head?.size ?? 0;
    const verifiers = keys.map(({ verifier }) => verifier);
    const isOther = isNew && verifiers.join() !== head?.keys.join();
    if (isOther && head) await announceKeys(tx, { head, verifiers, at: now() });
    const { bucket: placing, term: lastTerm } = await readPlacingTurn(tx);
    // The leaves after this tree may be those of another bucket, whose turn comes in this round.
    if (placing !== undefined && placing !== bucket.name) return { ...nothing, hasMore: true };
    if (!isHome && placing === undefined && !(await hasQueued(bucket.data))) return nothing;
    const placed = isHome
      ? { ...(await placeHome(tx, facts, size)), term: lastTerm }
      : await placeBucket(bucket, size, { buckets, facts });
    const { entries, taken, traces, hasMore, term } = placed;
    const batch = { taken, hasMore, traces, leaves: entries.length };
    if (entries.length === 0 && head && !isOther) {
      if (!isHome) await endPlacing(tx, term);
      return batch;
    }
    const extension = { origin, head, term, entries, keys, at: now() };
    known = toKnownTree(await extendTree(tx, extension), timeline);
    return batch;
  });
  memory.known = known;
  return sequenced;
}

/** Assigns leaves from `first` on to queued documents, then to the queued consents of the home bucket. */
async function placeHome(tx: DataTx, facts: Facts, first: number): Promise<PlacedBatch> {
  const documents = await placeDocuments(tx, first);
  const consents = await placeConsents(tx, facts, first + documents.length);
  const hasMore = consents.hasMore || documents.length === DOCUMENTS_MAX;
  return { ...consents, entries: [...documents, ...consents.entries], hasMore };
}

/** Assigns leaves from `first` on to queued documents, and returns their entries. */
async function placeDocuments(tx: DataTx, first: number): Promise<Buffer[]> {
  const rows = await listQueuedDocuments(tx, DOCUMENTS_MAX);
  const salts = newSalts(rows.length);
  const placed = rows.map((row, at) => ({ row, leaf: first + at, salt: saltOf(salts, at) }));
  await updateDocuments(tx, placed);
  return placed.map(({ row, salt }) => toEntry(toCanonical(row.document), salt));
}
