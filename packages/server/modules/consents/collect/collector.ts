import type { FastifyBaseLogger } from "fastify";
import type { Pool } from "pg";
import type { Db } from "../../../platform/db/db.ts";
import { isDatabaseAway } from "../../../platform/db/open.ts";
import { Fault } from "../../../platform/errors.ts";
import { openConsentIds } from "../../../kernel/ids.ts";
import type { AnswerCombinations } from "../states/answer-combinations.ts";
import type { CommitKnown } from "../ports.ts";
import { type GroupWriter, type Outcome, writeConsents } from "./group.ts";
import type { LiveOffers } from "../offers/live-offers.ts";
import type { CollectedConsent, Pending } from "./pending.ts";

/** Limits of consents, and of their bytes, in one statement. */
const GROUP_MAX = 200;
const GROUP_BYTES_MAX = 4 * 1024 * 1024;
/** Limit of the bytes that wait in memory, beside the number that settings bound. */
const QUEUE_BYTES_MAX = 64 * 1024 * 1024;

/** Keeps consents: many at once share a transaction, and each is answered after its own is durable. */
export interface Collector extends AsyncDisposable {
  /**
   * Resolves once the consent is durable.
   * @throws Fault busy when too many wait; impossible for a key that was used for another consent;
   *   not-found when what it answers is gone
   */
  collect(pending: Pending): Promise<CollectedConsent>;
}

interface CollectorOptions {
  db: Db;
  /** The collector's own connections; ended with it. */
  pool: Pool;
  live: LiveOffers;
  choices: AnswerCombinations;
  commit: CommitKnown;
  now: () => Date;
  log: Pick<FastifyBaseLogger, "error">;
  /** Limit of consents that wait. */
  queueMax: number;
}

interface Waiting {
  pending: Pending;
  resolve: (collected: CollectedConsent) => void;
  reject: (error: unknown) => void;
}

/** Consents that wait for one connection. */
interface Queue {
  waiting: Waiting[];
  /** Settles when nothing waits any more; undefined while nothing does. */
  writing: Promise<void> | undefined;
}

/**
 * Opens the collector. Each of its connections has a queue of its own: a visitor's consents always go
 * through the same, in the order in which they came. A group is what came while the one before it was
 * written: nobody waits for a group to fill.
 */
export function openCollector(options: CollectorOptions): Collector {
  const { db, pool, live, choices, commit, now, log, queueMax } = options;
  const newConsentId = openConsentIds();
  const writer: GroupWriter = { db, pool, live, now, choices, commit, newConsentId };
  const queues: Queue[] = Array.from({ length: pool.options.max }, () => ({
    waiting: [],
    writing: undefined,
  }));
  let waitingCount = 0;
  let waitingBytes = 0;

  const work = async (queue: Queue): Promise<void> => {
    // Requests that came in the same turn of the event loop belong to the first group.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.waiting.length > 0) {
      const group = takeGroup(queue.waiting);
      const isAway = await writeGroup(writer, group, log);
      // Consents behind them would wait for the same time-outs, and nothing of them is lost.
      const given = isAway ? queue.waiting.splice(0) : [];
      for (const { reject } of given) reject(new Fault("busy", "The database does not answer."));
      for (const { pending } of [...group, ...given]) {
        waitingCount -= 1;
        waitingBytes -= pending.sizeBytes;
      }
    }
    queue.writing = undefined;
  };

  return {
    collect(pending) {
      const queue = queues[hashOf(pending.token) % queues.length];
      const isFull = waitingCount >= queueMax || waitingBytes + pending.sizeBytes > QUEUE_BYTES_MAX;
      if (!queue || isFull)
        return Promise.reject(new Fault("busy", "Too many consents wait to be written."));
      waitingCount += 1;
      waitingBytes += pending.sizeBytes;
      return new Promise((resolve, reject) => {
        queue.waiting.push({ pending, resolve, reject });
        queue.writing ??= work(queue);
      });
    },
    async [Symbol.asyncDispose]() {
      for (const { writing } of queues) await writing;
      await pool.end();
    },
  };
}

function takeGroup(waiting: Waiting[]): Waiting[] {
  let bytes = 0;
  let count = 0;
  for (const { pending } of waiting) {
    bytes += pending.sizeBytes;
    if (count > 0 && (bytes > GROUP_BYTES_MAX || count >= GROUP_MAX)) break;
    count += 1;
  }
  return waiting.splice(0, count);
}

/** Writes a group and tells each caller; answers whether the database is away. */
async function writeGroup(
  writer: GroupWriter,
  group: readonly Waiting[],
  log: CollectorOptions["log"],
): Promise<boolean> {
  let outcomes: ReadonlyMap<Pending, Outcome> = new Map();
  let failure: unknown = new Error("A consent was left without an outcome.");
  try {
    outcomes = await writeConsents(
      writer,
      group.map(({ pending }) => pending),
    );
  } catch (error) {
    log.error({ err: error }, "a group of consents failed");
    failure = error;
  }
  let away: unknown;
  for (const { pending, resolve, reject } of group) {
    const outcome = outcomes.get(pending) ?? failure;
    if (outcome instanceof Error) {
      if (isDatabaseAway(outcome)) away = outcome;
      reject(outcome);
    } else resolve(outcome as CollectedConsent);
  }
  return away !== undefined;
}

/** A small, even number for a text (FNV-1a). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
