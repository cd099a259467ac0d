import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "../../../platform/db/db.ts";
import { usualIntervals } from "../../../kernel/intervals.ts";
import { firstIdAt, timeOfId } from "../../../kernel/ids.ts";
import { findCollectingSince } from "./horizon-store.ts";

/**
 * The id below which no record will be collected any more (exclusive): a reader in the order
 * of ids up to it misses nothing and may continue from it. Ids are made shortly before their records are
 * there, so the horizon lies `marginMs` before the oldest collecting transaction. Imports are
 * another matter: they add records of earlier times.
 */
export async function findHorizon(
  db: Db,
  marginMs: number = usualIntervals.collectingMs,
): Promise<string> {
  const ms = (await findCollectingSince(db)).getTime() - marginMs;
  return firstIdAt(new Date(ms));
}

const WAIT_MS_MAX = 10_000;
const POLL_MS = { min: 10, max: 250 };

/** How long to wait for the horizon, and what ends the waiting before. */
export interface Wait {
  signal: AbortSignal;
  waitMs?: number;
  marginMs?: number;
}

/**
 * Waits until the horizon has come to `id`, which takes `marginMs` from the instant of `id`, or as
 * much longer as a transaction collects. Answers `id`, or where the horizon is after ten seconds
 * (`waitMs`): one transaction that hangs does not hold every reader. Rejects when `signal` is aborted.
 */
export async function awaitHorizon(
  db: Db,
  id: string,
  { signal, waitMs = WAIT_MS_MAX, marginMs }: Wait,
): Promise<string> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const horizon = await findHorizon(db, marginMs);
    if (horizon >= id) return id;
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return horizon;
    const gapMs = timeOfId(id).getTime() - timeOfId(horizon).getTime();
    const pauseMs = Math.min(leftMs, Math.max(POLL_MS.min, Math.min(gapMs, POLL_MS.max)));
    await delay(pauseMs, undefined, { signal });
  }
}
