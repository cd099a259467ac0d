import type { WebhooksApp } from "./app.ts";
import { BEGINNING_BYTES } from "./attempts.ts";
import { readBodies } from "./bodies.ts";
import type { DueRow } from "./deliveries-store.ts";
import { type Share, isShort } from "./held-bytes.ts";

/** A body as it is sent. */
export interface Payload {
  id: string;
  bytes: Buffer;
}

/** A body in memory, counted with what comes back until it is disposed. */
export interface HeldBody extends Disposable {
  /** Undefined where what is to be told was erased. */
  payload: Payload | undefined;
  /** Counts so many more bytes of its answer: as many as there is room for, the first 4 KiB in any case. */
  keep: (bytes: number) => number;
}

/** A body that is wanted. */
interface Wanted {
  delivery: DueRow;
  share: Share;
  /** When it is of no use any more, as `performance.now` tells. */
  untilMs: number;
}

interface Waiting extends Wanted {
  done: PromiseWithResolvers<HeldBody | undefined>;
  timer: NodeJS.Timeout;
}

export interface HeldBodies {
  /** Reads a body once there is room for it; undefined where there was none in time, or the service stops. */
  hold: (wanted: Wanted) => Promise<HeldBody | undefined>;
}

/** Read at a time: rows are in memory several times while they become bodies. */
const GROUP_MAX = 256;
const GROUP_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Opens the reading of bodies just before they are sent, of all lanes together: makers in turn, as many as there is
 * room for. What does not fit waits in its turn, and keeps the room that becomes free from those behind it.
 */
export function openHeldBodies(
  app: Pick<WebhooksApp, "db" | "sources" | "publicUrl" | "held">,
  signal: AbortSignal,
): HeldBodies {
  const { held } = app;
  const lines = new Map<string, Waiting[]>();
  let isReading = false;
  const end = (waiting: Waiting): void => {
    clearTimeout(waiting.timer);
    const key = keyOf(waiting);
    const line = lines.get(key)?.filter((one) => one !== waiting) ?? [];
    if (line.length > 0) lines.set(key, line);
    else lines.delete(key);
    waiting.done.resolve(undefined);
    // It may have kept room from those behind it.
    void read();
  };
  const readGroup = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const deliveries = group.map(({ delivery }) => delivery);
      const bodies = await readBodies(app.db, app, deliveries);
      for (const [at, one] of group.entries()) {
        const body = bodies[at];
        const payload = body && { id: body.id, bytes: Buffer.from(body.text) };
        held.add(one.share, (payload?.bytes.length ?? 0) - one.delivery.bytes_max);
        one.done.resolve(toHeldBody(held, { share: one.share, payload }, () => void read()));
      }
    } catch (error) {
      for (const { delivery, share, done } of group) {
        held.add(share, -delivery.bytes_max);
        done.reject(error);
      }
    }
  };
  const read = async (): Promise<void> => {
    if (isReading || signal.aborted) return;
    isReading = true;
    for (let group = takeGroup(lines, held); group.length > 0; group = takeGroup(lines, held))
      await readGroup(group);
    isReading = false;
  };
  signal.addEventListener("abort", () => [...lines.values()].flat().forEach(end), { once: true });
  return {
    hold(wanted) {
      if (signal.aborted) return Promise.resolve(undefined);
      const done = Promise.withResolvers<HeldBody | undefined>();
      const leftMs = Math.max(0, wanted.untilMs - performance.now());
      const waiting: Waiting = { ...wanted, done, timer: setTimeout(() => end(waiting), leftMs) };
      const key = keyOf(wanted);
      const line = lines.get(key) ?? [];
      lines.set(key, line);
      line.push(waiting);
      void read();
      return done.promise;
    },
  };
}

/** A body that is counted already; `freed` is told when it is not any more. */
function toHeldBody(
  held: WebhooksApp["held"],
  { share, payload }: { share: Share; payload: Payload | undefined },
  freed: () => void,
): HeldBody {
  let bytes = payload?.bytes.length ?? 0;
  let answerBytes = 0;
  return {
    payload,
    keep(asked) {
      const isFine = held.hasRoom(share.kind, asked) && held.hasOwnRoom(share, asked);
      const more = isFine ? asked : Math.min(asked, Math.max(0, BEGINNING_BYTES - answerBytes));
      answerBytes += more;
      bytes += more;
      held.add(share, more);
      return more;
    },
    [Symbol.dispose]() {
      held.add(share, -bytes);
      bytes = 0;
      freed();
    },
  };
}

/** What is short and what is long have lines of their own, as they have room of their own. */
function keyOf({ share, delivery }: Wanted): string {
  return `${toSort({ share, delivery })} ${share.maker}`;
}

function toSort({ share, delivery }: Pick<Wanted, "share" | "delivery">): string {
  return `${share.kind} ${isShort(delivery.bytes_max) ? "short" : "long"}`;
}

/** Takes what is read next out of the lines, and counts it: of each line one, then of each that has more the next. */
function takeGroup(lines: Map<string, Waiting[]>, held: WebhooksApp["held"]): Waiting[] {
  const group: Waiting[] = [];
  const full = new Set<string>();
  let bytes = 0;
  // A line that is put back behind the others comes again.
  for (const [key, line] of lines) {
    const [first] = line;
    if (!first || group.length >= GROUP_MAX || bytes >= GROUP_BYTES_MAX) break;
    const { share, delivery } = first;
    const { bytes_max: more } = delivery;
    const sort = toSort(first);
    if (full.has(sort) || !held.hasOwnRoom(share, more)) continue;
    if (!held.hasRoom(share.kind, more)) {
      full.add(sort);
      continue;
    }
    clearTimeout(first.timer);
    held.add(share, more);
    group.push(first);
    bytes += more;
    line.shift();
    lines.delete(key);
    if (line.length > 0) lines.set(key, line);
  }
  return group;
}
