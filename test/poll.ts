import { setTimeout as delay } from "node:timers/promises";

interface Polling<T> {
  read: () => T | Promise<T>;
  isRight: (value: T) => boolean;
  waitMs: number;
  /** Describes the last value when it was not right in time. */
  toMessage: (value: T) => string;
}

const PAUSE_MS = 20;

/** Polls `read` until its value is right; throws with the last one. */
export async function poll<T>({ read, isRight, waitMs, toMessage }: Polling<T>): Promise<T> {
  const until = performance.now() + waitMs;
  for (;;) {
    const value = await read();
    if (isRight(value)) return value;
    if (performance.now() > until) throw new Error(toMessage(value));
    await delay(PAUSE_MS);
  }
}
