import type { FastifyBaseLogger } from "fastify";
import type { Pool } from "pg";
import type { Bucket, Buckets } from "../../../platform/db/buckets/buckets.ts";
import { isDatabaseUnavailable } from "../../../platform/db/open.ts";
import { type Span, type Tracing, trace } from "../../../platform/telemetry/tracing.ts";
import { Fault } from "../../../platform/errors.ts";
import type { Reading } from "../../../platform/telemetry/reading.ts";
import type { Intervals } from "../../../kernel/intervals.ts";
import { openConsentIds } from "../../../kernel/ids.ts";
import type { AnswerCombinations } from "../states/answer-combinations.ts";
import type { CommitKnown } from "../ports.ts";
import { type GroupWriter, type Outcome, writeConsents } from "./group.ts";
import type { LiveOffers } from "../offers/live-offers.ts";
import type { CollectedConsent, Pending } from "./pending.ts";

/** Limits of one statement: number of consents, and their bytes. */
const GROUP_MAX = 200;
const GROUP_BYTES_MAX = 4 * 1024 * 1024;
/** Limit of pending bytes in memory. Settings limit the number of pending consents. */
const QUEUE_BYTES_MAX = 64 * 1024 * 1024;

/** Writes consents in groups: concurrent consents share a transaction. */
export interface Collector extends AsyncDisposable {
  /**
   * Resolves once the consent is durable.
   * @throws Fault busy when too many are pending; impossible for a key that was used for another consent;
   *   not-found when the project or configuration was deleted
   */
  collect(pending: Pending): Promise<CollectedConsent>;
  readings: readonly Reading[];
}

interface CollectorOptions {
  buckets: Pick<Buckets, "of">;
  /** Opens the collector's own connections to a bucket, which it closes on disposal. */
  openPool: (bucket: Bucket) => Pool;
  live: LiveOffers;
  choices: AnswerCombinations;
  commit: CommitKnown;
  now: () => Date;
  log: Pick<FastifyBaseLogger, "error">;
  tracing?: Tracing | undefined;
  /** Limit of pending consents. */
  queueMax: number;
  intervals: Pick<Intervals, "collectingMs">;
}

interface Waiting {
  pending: Pending;
  /** The span of its request. */
  span: Span | undefined;
  resolve: (collected: CollectedConsent) => void;
  reject: (error: unknown) => void;
}

/** The connections to a bucket, each with its queue. */
interface Channel {
  pool: Pool;
  queues: Queue[];
}

/** Pending consents of one connection. */
interface Queue {
  writer: GroupWriter;
  waiting: Waiting[];
  /** Settles when the queue is empty; undefined while it is. */
  writing: Promise<void> | undefined;
}

/**
 * Opens the collector. Each of its connections has its own queue, and belongs to one bucket. The consents of a token
 * always use the same queue, so that they keep their order. A group consists of the consents that arrived while the previous group
 * was written: no consent waits for a group to fill.
 */
export function openCollector(options: CollectorOptions): Collector {
  const { buckets, live, choices, commit, now, log, tracing, queueMax } = options;
  const newConsentId = openConsentIds();
  const marginMs = options.intervals.collectingMs;
  const channels = new Map<Bucket, Channel>();
  const openChannel = (bucket: Bucket): Channel => {
    const pool = options.openPool(bucket);
    const db = bucket.data;
    const writer = { db, pool, live, now, choices, commit, newConsentId, tracing, marginMs };
    const queues = Array.from({ length: pool.options.max }, (): Queue => {
      return { writer, waiting: [], writing: undefined };
    });
    const channel = { pool, queues };
    channels.set(bucket, channel);
    return channel;
  };
  let waitingCount = 0;
  let waitingBytes = 0;

  const work = async (queue: Queue): Promise<void> => {
    // Includes requests from the same iteration of the event loop in the first group.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.waiting.length > 0) {
      const group = takeGroup(queue.waiting);
      const isAway = await writeGroup(queue.writer, group, log);
      // Rejects the rest of the queue, which would run into the same time-outs: clients retry.
      const rejected = isAway ? queue.waiting.splice(0) : [];
      for (const { reject } of rejected)
        reject(new Fault("busy", "The database does not respond."));
      for (const { pending } of [...group, ...rejected]) {
        waitingCount -= 1;
        waitingBytes -= pending.sizeBytes;
      }
    }
    queue.writing = undefined;
  };

  return {
    async collect(pending) {
      const bucket = await buckets.of(pending.projectId);
      const { queues } = channels.get(bucket) ?? openChannel(bucket);
      const queue = queues[hashOf(pending.token) % queues.length];
      const isFull = waitingCount >= queueMax || waitingBytes + pending.sizeBytes > QUEUE_BYTES_MAX;
      if (!queue || isFull) throw new Fault("busy", "Too many consents are waiting to be written.");
      waitingCount += 1;
      waitingBytes += pending.sizeBytes;
      return new Promise((resolve, reject) => {
        const span = tracing?.findActiveSpan();
        queue.waiting.push({ pending, span, resolve, reject });
        queue.writing ??= work(queue);
      });
    },
    readings: [
      {
        name: "avow_collect_waiting_consents",
        help: "Consents of this node that wait for their commit.",
        read: () => waitingCount,
      },
    ],
    async [Symbol.asyncDispose]() {
      for (const { pool, queues } of channels.values()) {
        for (const { writing } of queues) await writing;
        await pool.end();
      }
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

/** Writes a group and settles its promises. Returns whether the database is unreachable. */
async function writeGroup(
  writer: GroupWriter,
  group: readonly Waiting[],
  log: CollectorOptions["log"],
): Promise<boolean> {
  let outcomes: ReadonlyMap<Pending, Outcome> = new Map();
  let failure: unknown = new Error("a consent has no outcome");
  try {
    outcomes = await traceGroup(writer.tracing, group, () => writeLogged(writer, group, log));
  } catch (error) {
    failure = error;
  }
  let away: unknown;
  for (const { pending, resolve, reject } of group) {
    const outcome = outcomes.get(pending) ?? failure;
    if (outcome instanceof Error) {
      if (isDatabaseUnavailable(outcome)) away = outcome;
      reject(outcome);
    } else resolve(outcome as CollectedConsent);
  }
  return away !== undefined;
}

async function writeLogged(
  writer: GroupWriter,
  group: readonly Waiting[],
  log: CollectorOptions["log"],
): Promise<ReadonlyMap<Pending, Outcome>> {
  try {
    return await writeConsents(
      writer,
      group.map(({ pending }) => pending),
    );
  } catch (error) {
    log.error({ err: error }, "consent group failed");
    throw error;
  }
}

/** The group of a single request is a part of its trace; one of several requests has its own, and links both ways. */
async function traceGroup<T>(
  tracing: Tracing | undefined,
  group: readonly Waiting[],
  write: () => Promise<T>,
): Promise<T> {
  const spans = group.flatMap(({ span }) => (span?.traceparent === undefined ? [] : [span]));
  const causes = spans.flatMap(({ traceparent }) => traceparent ?? []);
  const attributes = { "avow.consents": group.length };
  return trace(tracing, "write consents", { causes, attributes }, (own) => {
    const { traceparent } = own ?? {};
    if (spans.length > 1 && traceparent !== undefined)
      for (const span of spans) span.addLink(traceparent);
    return write();
  });
}

/** FNV-1a: a fast hash with an even distribution. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
