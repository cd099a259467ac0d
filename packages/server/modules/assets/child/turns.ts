import { LRUCache } from "lru-cache";

/** What somebody took lately counts for so long. */
const REMEMBERED_MS = 10 * 60_000;
const REMEMBERED_MAX = 10_000;

/** Who waits for a picture. */
export interface Asker {
  /** Somebody who uploads or publishes, or anybody. */
  kind: "owner" | "visitor";
  /** Whom its time is counted for: the user or project; the content, and the address that asks. */
  of: readonly string[];
  /** Aborts when nobody waits for it any more. */
  signal?: AbortSignal;
}

interface Running {
  asker: Asker;
  /** Of `performance.now()`. */
  startedAt: number;
}

/** Whose turn it is. */
export interface Turns {
  /** Counts the time that a task took. */
  note: (running: Running) => void;
  /**
   * Of what waits, the first in turn: what owners wait for, since everybody may ask for renders, and as
   * many as they like; of either, what is of those for whom the least time was taken lately, so that
   * one who asks for much, or for what takes long, waits behind all others.
   */
  choose: <T extends { asker: Asker }>(
    waiting: Iterable<T>,
    running: readonly Running[],
  ) => T | undefined;
}

export function openTurns(): Turns {
  const taken = new LRUCache<string, number>({ max: REMEMBERED_MAX, ttl: REMEMBERED_MS });
  return {
    note({ asker, startedAt }) {
      const ms = performance.now() - startedAt;
      for (const one of asker.of) taken.set(one, (taken.get(one) ?? 0) + ms);
    },
    choose(waiting, running) {
      const now = performance.now();
      const takenOf = (one: string): number =>
        running
          .filter(({ asker }) => asker.of.includes(one))
          .reduce((sum, { startedAt }) => sum + now - startedAt, taken.get(one) ?? 0);
      const ranked = [...waiting].map((job) => ({
        job,
        rank: job.asker.kind === "owner" ? 0 : 1,
        ms: Math.max(0, ...job.asker.of.map(takenOf)),
      }));
      return ranked.toSorted((a, b) => a.rank - b.rank || a.ms - b.ms)[0]?.job;
    },
  };
}
