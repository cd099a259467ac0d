import { setTimeout as delay } from "node:timers/promises";
import type { DataDb } from "../../../platform/db/db.ts";
import { usualIntervals } from "../../../kernel/intervals.ts";
import { firstIdAt, timeOfId } from "../../../kernel/ids.ts";
import { findCollectingSince } from "./horizon-store.ts";

/**
 * The id below which no further record will be collected (exclusive): a reader in the order of ids misses nothing below
 * it and can continue from it. Ids are created shortly before their records are visible, so the horizon is `marginMs`
 * before the oldest collecting transaction. It does not cover imports, which add records with earlier ids.
 */
export async function findHorizon(
  db: DataDb,
  marginMs: number = usualIntervals.collectingMs,
): Promise<string> {
  const ms = (await findCollectingSince(db)).getTime() - marginMs;
  return firstIdAt(new Date(ms));
}

const WAIT_MS_MAX = 10_000;
const POLL_MS = { min: 10, max: 250 };

export interface Wait {
  signal: AbortSignal;
  waitMs?: number;
  marginMs?: number;
}

/**
 * Waits until the horizon reaches `id`, which takes `marginMs` from the instant of `id`, or longer while a transaction
 * collects. Returns `id`, or the horizon after ten seconds (`waitMs`), so that a hanging transaction does not block all
 * readers. Rejects when `signal` is aborted.
 */
export async function awaitHorizon(
  db: DataDb,
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
