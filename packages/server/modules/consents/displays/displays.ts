import type { FastifyBaseLogger } from "fastify";
import type { Db } from "../../../platform/db/db.ts";
import type { Intervals } from "../../../kernel/intervals.ts";
import { openRounds } from "../../../platform/queues/rounds.ts";
import { type DisplayCount, type DisplayKey, addDisplays } from "./displays-store.ts";
import type { AnswerKind } from "@avow/contract/answers";
import { toSlot } from "./slots.ts";
import type { Impression } from "../ports.ts";

/** Counts displays and what becomes of them. No display is told from another. */
export interface Displays extends AsyncDisposable {
  /** Counts a display; answers false, and does not, where a project has too many at once. */
  noteDisplay(projectId: string, shown: Impression, at: Date): boolean;
  /** Counts an answer to a display of that time. */
  noteAnswer(
    projectId: string,
    shown: Impression,
    answer: { displayedAt: Date; kind: AnswerKind },
  ): void;
  /** Numbers for `/metrics`. */
  readings: readonly { name: string; help: string; read: () => number }[];
}

/** Anybody can ask for tickets: displays of one project that one node counts in a round. */
const SHOWN_PER_ROUND_MAX = 1_000;
/** Sums that wait at most, as long as the database is away. */
const WAITING_MAX = 50_000;
/** Sums that one statement adds. */
const ADDED_MAX = 5_000;
const STEP_LENGTH_MAX = 64;

type Count = "shown" | AnswerKind;

interface DisplaysOptions {
  db: Db;
  log: Pick<FastifyBaseLogger, "error">;
  intervals: Intervals;
}

/**
 * Opens the counting of displays: in memory, and each second what came together is added to the database. A
 * node that crashes takes the last second with it; one that is stopped, nothing. Where the database is away,
 * sums wait for it.
 */
export function openDisplays({ db, log, intervals }: DisplaysOptions): Displays {
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
    while (taken.length > 0) {
      const some = taken.splice(0, ADDED_MAX);
      try {
        await addDisplays(db, some);
      } catch (error) {
        sums.restore([...some, ...taken]);
        throw error;
      }
    }
  };
  const rounds = openRounds(
    async () => {
      await flush();
      return intervals.countsMs;
    },
    {
      retryMs: intervals.countsMs,
      onError: (err) => log.error({ err }, "displays wait to be counted"),
    },
  );
  return {
    noteDisplay(projectId, shown, at) {
      const count = (perProject.get(projectId) ?? 0) + 1;
      if (count > SHOWN_PER_ROUND_MAX) {
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
        help: "Displays that were not counted: too many of one project at once, or too many sums.",
        read: () => dropped,
      },
    ],
    async [Symbol.asyncDispose]() {
      await rounds[Symbol.asyncDispose]();
      await flush().catch((err: unknown) => log.error({ err }, "displays were not counted"));
    },
  };
}

/** Sums that wait to be added to the database. */
function openSums() {
  let waiting = new Map<string, DisplayCount>();
  /** Answers false where there is no room for another sum. */
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
    /** What could not be added, which may have come together with more since. */
    restore(taken: readonly DisplayCount[]): void {
      for (const { shown, accepted, partly, refused, ...key } of taken)
        for (const [count, by] of Object.entries({ shown, accepted, partly, refused }))
          if (by > 0) add(key, count as Count, by);
    },
  };
}

/** So much of a step's name as it is counted by: a ticket carries it, too. */
export function cutStep(step: string): string {
  return Array.from(step).slice(0, STEP_LENGTH_MAX).join("");
}
