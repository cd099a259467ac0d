/** Who waits for a turn, and since when. */
interface Waiting extends PromiseWithResolvers<void> {
  since: number;
}

/** Those of one network who wait: the urgent ones go first. */
interface Line {
  urgent: Waiting[];
  other: Waiting[];
}

interface TurnsOptions {
  /** Works done at once. */
  concurrencyMax: number;
  /** How many may wait. */
  waitingMax: number;
  /** For how long one may wait. */
  waitMsMax: number;
  /** Of a clock that only goes forward, in ms. */
  now: () => number;
  /** What who is sent away gets. */
  toRefusal: () => Error;
}

interface Turn<T> {
  /** The network that asks. */
  from: string;
  isUrgent: boolean;
  work: () => Promise<T>;
}

export type TakeTurn = <T>(turn: Turn<T>) => Promise<T>;

/**
 * Runs a few works at once. Networks take turns, so that what one of them asks for keeps no other waiting; of one
 * network the urgent go before the others, and else who came first. Who has waited too long, or finds the room full, is
 * sent away.
 */
export function openTurns(options: TurnsOptions): TakeTurn {
  const { concurrencyMax, toRefusal } = options;
  const queue = openQueue(options);
  let running = 0;
  return async function takeTurn({ from, isUrgent, work }) {
    if (running < concurrencyMax) running += 1;
    // The turn is handed over by the one that ends, so `running` stays as it is.
    else if (queue.hasRoom(from, isUrgent)) await queue.wait(from, isUrgent);
    else throw toRefusal();
    try {
      return await work();
    } finally {
      if (!queue.callNext()) running -= 1;
    }
  };
}

const lengthOf = ({ urgent, other }: Line): number => urgent.length + other.length;

function openQueue({ waitingMax, waitMsMax, now, toRefusal }: TurnsOptions) {
  /** By network. The line whose turn is next is the first. */
  const lines = new Map<string, Line>();
  let count = 0;

  function sendAway(waiting: Waiting | undefined): void {
    if (!waiting) return;
    count -= 1;
    waiting.reject(toRefusal());
  }

  /** Whoever came last of the longest line makes room, unless it is the line of who comes: there, for the urgent alone. */
  function makeRoom(from: string, isUrgent: boolean): boolean {
    const own = lines.get(from);
    const longest = [...lines.values()].reduce<Line>(
      (most, line) => (lengthOf(line) > lengthOf(most) ? line : most),
      { urgent: [], other: [] },
    );
    const isShorter = (own ? lengthOf(own) : 0) + 1 < lengthOf(longest);
    const given = isShorter ? (longest.other.pop() ?? longest.urgent.pop()) : undefined;
    const left = given ?? (isUrgent ? own?.other.pop() : undefined);
    sendAway(left);
    return left !== undefined;
  }

  /** Each part of a line is as they came, so who has waited too long stands first in it. */
  function endWaits(): void {
    const before = now() - waitMsMax;
    for (const [from, line] of lines) {
      for (const part of [line.urgent, line.other])
        while (part[0] && part[0].since < before) sendAway(part.shift());
      if (lengthOf(line) === 0) lines.delete(from);
    }
  }

  return {
    hasRoom: (from: string, isUrgent: boolean): boolean =>
      count < waitingMax || makeRoom(from, isUrgent),
    wait(from: string, isUrgent: boolean): Promise<void> {
      const waiting = { ...Promise.withResolvers<void>(), since: now() };
      const line = lines.get(from) ?? { urgent: [], other: [] };
      line[isUrgent ? "urgent" : "other"].push(waiting);
      lines.set(from, line);
      count += 1;
      return waiting.promise;
    },
    /** Gives the turn to who is next, and sends away who has waited too long; false where nobody waits. */
    callNext(): boolean {
      endWaits();
      const [first] = lines;
      if (!first) return false;
      const [from, line] = first;
      const next = line.urgent.shift() ?? line.other.shift();
      lines.delete(from);
      if (lengthOf(line) > 0) lines.set(from, line);
      count -= 1;
      next?.resolve();
      return true;
    },
  };
}
