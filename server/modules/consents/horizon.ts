import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "../../platform/db/db.ts";
import { firstIdAt, timeOfId } from "../../platform/ids.ts";
import { findCollectingSince } from "./horizon-store.ts";

/**
 * How long before its transaction a record's id may have been made: the wait for a place in a group,
 * and what the clocks of the nodes and of the database differ by.
 */
const MARGIN_MS = 2_000;

/**
 * The id below which no record will be collected any more (exclusive): who reads up to it in the
 * order of ids misses nothing and may go on from it. Ids are made shortly before their records are
 * there, so the horizon lies two seconds before the oldest collecting transaction. Imports are
 * another matter: they add records of earlier times.
 */
export async function findHorizon(db: Db): Promise<string> {
  const ms = (await findCollectingSince(db)).getTime() - MARGIN_MS;
  return firstIdAt(new Date(ms));
}

const WAIT_MS_MAX = 10_000;
const POLL_MS = { min: 10, max: 250 };

/** How long to wait for the horizon, and what ends the waiting before. */
export interface Wait {
  signal: AbortSignal;
  waitMs?: number;
}

/**
 * Waits until the horizon has come to `id`, which takes two seconds from the instant of `id`, or as
 * much longer as a transaction collects. Answers `id`, or where the horizon is after ten seconds
 * (`waitMs`): one transaction that hangs does not hold every reader. Rejects when `signal` is aborted.
 */
export async function awaitHorizon(
  db: Db,
  id: string,
  { signal, waitMs = WAIT_MS_MAX }: Wait,
): Promise<string> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const horizon = await findHorizon(db);
    if (horizon >= id) return id;
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return horizon;
    const gapMs = timeOfId(id).getTime() - timeOfId(horizon).getTime();
    const pauseMs = Math.min(leftMs, Math.max(POLL_MS.min, Math.min(gapMs, POLL_MS.max)));
    await delay(pauseMs, undefined, { signal });
  }
}
