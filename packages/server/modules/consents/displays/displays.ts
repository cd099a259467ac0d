import type { FastifyBaseLogger } from "fastify";
import { type Bucket, type Buckets, groupByBucket } from "../../../platform/db/buckets/buckets.ts";
import type { Intervals } from "../../../kernel/intervals.ts";
import { openWorkerLoop } from "../../../platform/queues/worker-loop.ts";
import { type DisplayCount, type DisplayKey, addDisplays } from "./displays-store.ts";
import type { AnswerKind } from "@avow/contract/answers";
import { toSlot } from "./slots.ts";
import type { Impression } from "../ports.ts";

/** Counts displays and the answers to them, without distinguishing single displays. */
export interface Displays extends AsyncDisposable {
  /** Counts a display; returns false if a limit was reached. */
  noteDisplay(projectId: string, shown: Impression, at: Date): boolean;
  /** Counts an answer, at the time of its display. */
  noteAnswer(
    projectId: string,
    shown: Impression,
    answer: { displayedAt: Date; kind: AnswerKind },
  ): void;
  /** Metrics for `/metrics`. */
  readings: readonly { name: string; help: string; read: () => number }[];
}

/** Limit of counted displays of a project between two writes, per node: requesting tickets needs no authentication. */
const DISPLAYS_PER_FLUSH_MAX = 1_000;
/** Limit of sums in memory while the database is unreachable. */
const WAITING_MAX = 50_000;
/** Limit of sums in one statement. */
const ADDED_MAX = 5_000;
const STEP_LENGTH_MAX = 64;

type Count = "shown" | AnswerKind;

interface DisplaysOptions {
  buckets: Pick<Buckets, "of" | "prefetch">;
  log: Pick<FastifyBaseLogger, "error">;
  intervals: Intervals;
}

/**
 * Opens the display counts. Sums are collected in memory and added to the database every second. A crash loses the
 * last second; a shutdown loses nothing. While the database is unreachable, sums stay in memory.
 */
export function openDisplays({ buckets, log, intervals }: DisplaysOptions): Displays {
  const sums = openSums();
  let perProject = new Map<string, number>();
  let dropped = 0;
  const add = (key: DisplayKey, count: Count): boolean => {
    const isAdded = sums.add(key, count, 1);
    if (!isAdded) dropped += 1;
    return isAdded;
  };
  const flush = async (): Promise<void> => {
    perProject = new Map();
    const taken = sums.take();
    let failure: unknown;
    for (const part of await divide(buckets, taken).catch((error: unknown) => {
      sums.restore(taken);
      throw error;
    }))
      await addDisplays(part.data, part.counts).catch((error: unknown) => {
        sums.restore(part.counts);
        failure = error;
      });
    if (failure !== undefined) throw failure;
  };
  const rounds = openWorkerLoop(
    async () => {
      await flush();
      return intervals.countsMs;
    },
    {
      retryMs: intervals.countsMs,
      onError: (err) => log.error({ err }, "display counts not written, will retry"),
    },
  );
  return {
    noteDisplay(projectId, shown, at) {
      const count = (perProject.get(projectId) ?? 0) + 1;
      if (count > DISPLAYS_PER_FLUSH_MAX) {
        dropped += 1;
        return false;
      }
      perProject.set(projectId, count);
      return add({ projectId, slot: toSlot(at), ...shown }, "shown");
    },
    noteAnswer(projectId, shown, { displayedAt, kind }) {
      add({ projectId, slot: toSlot(displayedAt), ...shown }, kind);
    },
    readings: [
      {
        name: "avow_displays_dropped",
        help: "Displays not counted because of a limit per project or of memory.",
        read: () => dropped,
      },
    ],
    async [Symbol.asyncDispose]() {
      await rounds[Symbol.asyncDispose]();
      await flush().catch((err: unknown) => log.error({ err }, "display counts lost"));
    },
  };
}

/** The sums in parts that one statement adds to one bucket. */
async function divide(
  buckets: Pick<Buckets, "of" | "prefetch">,
  counts: readonly DisplayCount[],
): Promise<{ data: Bucket["data"]; counts: DisplayCount[] }[]> {
  const groups = await groupByBucket(buckets, counts);
  return [...groups].flatMap(([{ data }, own]) =>
    Array.from({ length: Math.ceil(own.length / ADDED_MAX) }, (_, at) => ({
      data,
      counts: own.slice(at * ADDED_MAX, (at + 1) * ADDED_MAX),
    })),
  );
}

/** Sums not yet written to the database. */
function openSums() {
  let waiting = new Map<string, DisplayCount>();
  /** Returns false when the limit of sums is reached. */
  const add = (key: DisplayKey, count: Count, by: number): boolean => {
    const { projectId, slot, identifier, step, device } = key;
    const name = JSON.stringify([projectId, slot.getTime(), identifier, step, device]);
    let sum = waiting.get(name);
    if (!sum) {
      if (waiting.size >= WAITING_MAX) return false;
      waiting.set(name, (sum = { ...key, shown: 0, accepted: 0, partly: 0, refused: 0 }));
    }
    sum[count] += by;
    return true;
  };
  return {
    add,
    take(): DisplayCount[] {
      const taken = [...waiting.values()];
      waiting = new Map();
      return taken;
    },
    /** Puts back sums that could not be written; new counts may have been added since. */
    restore(taken: readonly DisplayCount[]): void {
      for (const { shown, accepted, partly, refused, ...key } of taken)
        for (const [count, by] of Object.entries({ shown, accepted, partly, refused }))
          if (by > 0) add(key, count as Count, by);
    },
  };
}

/** The truncated name of a step, for counts and tickets. */
export function cutStep(step: string): string {
  return Array.from(step).slice(0, STEP_LENGTH_MAX).join("");
}
