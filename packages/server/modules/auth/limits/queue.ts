import { Fault } from "../../../platform/errors.ts";

interface Line {
  waiting: number;
  /** Ends when the last who came has left the line. */
  last: Promise<void>;
  running: Set<Promise<void>>;
}

interface Visit<P, T> {
  /** Asks for a place; undefined when there is none. Only the first in line asks. */
  enter: () => Promise<P | undefined>;
  /** What is done with a place; giving it back, where that is due, is part of it. */
  work: (place: P) => Promise<T>;
}

/** Waits in the line of this name; undefined when there is no place and nobody ahead may free one. */
export type TakePlace = <P, T>(name: string, visit: Visit<P, T>) => Promise<T | undefined>;

/**
 * Lines of those who want one of a few places, first come first served. At most `runningMax` of a
 * line run at once and `waitingMax` wait. Who finds no place waits while others of the line run, as
 * they may give theirs back.
 */
export function openLines(limits: { runningMax: number; waitingMax: number }): TakePlace {
  const lines = new Map<string, Line>();
  return async function takePlace(name, visit) {
    const line = lines.get(name) ?? { waiting: 0, last: Promise.resolve(), running: new Set() };
    if (line.waiting >= limits.waitingMax) {
      throw new Fault(
        "too-many",
        "Too many passwords of one account are being checked at once. Wait 1 second.",
        {
          retryAfterSeconds: 1,
        },
      );
    }
    lines.set(name, line);
    const leaveIfLast = (): void => {
      if (line.waiting === 0 && line.running.size === 0) lines.delete(name);
    };
    const work = await waitFor(line, async () => {
      const place = await findPlace(line, limits.runningMax, visit.enter);
      // In an object, as the line must not wait for the work itself.
      return place === undefined ? undefined : { result: run(line, visit.work(place)) };
    }).finally(leaveIfLast);
    return work?.result.finally(leaveIfLast);
  };
}

/** Does `step` when all who came before have done theirs. */
async function waitFor<T>(line: Line, step: () => Promise<T>): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const ahead = line.last;
  line.last = promise;
  line.waiting += 1;
  try {
    await ahead;
    return await step();
  } finally {
    line.waiting -= 1;
    resolve();
  }
}

async function findPlace<P>(
  { running }: Line,
  runningMax: number,
  enter: () => Promise<P | undefined>,
): Promise<P | undefined> {
  for (;;) {
    if (running.size < runningMax) {
      // Who ended while this one asked may have given a place back, so it is told by who ran before.
      const wasAlone = running.size === 0;
      const place = await enter();
      if (place !== undefined || wasAlone) return place;
    }
    if (running.size > 0) await Promise.race(running);
  }
}

async function run<T>({ running }: Line, work: Promise<T>): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<void>();
  running.add(promise);
  try {
    return await work;
  } finally {
    running.delete(promise);
    resolve();
  }
}
