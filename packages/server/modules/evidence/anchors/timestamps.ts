import type { FastifyBaseLogger } from "fastify";
import type { DataDb } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { type CursorPage, parseCursor, toCursorFault, toCursorPage } from "../../../kernel/page.ts";
import { toBackOffSeconds } from "./requests.ts";
import { findCosignedHead } from "../log/heads.ts";
import type { Intervals } from "../../../kernel/intervals.ts";
import { openWorkerLoop } from "../../../platform/queues/worker-loop.ts";
import { requestTimestamp } from "./timestamp-request.ts";
import {
  type TimestampRow,
  claimAuthority,
  insertTimestamp,
  listTimestampsBefore,
  updateAuthority,
} from "./timestamp-store.ts";

/** Longer than a request takes. */
const LEASE_SECONDS = 30;

export interface TimestampsOptions {
  intervals: Intervals;
  db: DataDb;
  now: () => Date;
  log: Pick<FastifyBaseLogger, "info" | "warn" | "error">;
  authority: { url: string; everyMinutes: number };
}

/**
 * Starts the worker that requests a time-stamp of the newest checkpoint (RFC 3161) when the log has grown and the last
 * one is old enough. It does not block the log: failed requests are retried with a backoff of at most five minutes.
 * A lease makes one node at a time send requests. Disposal aborts the current request.
 */
export function openTimestamps(options: TimestampsOptions): AsyncDisposable {
  const { timestampsMs } = options.intervals;
  const round = async (signal: AbortSignal): Promise<number> => {
    await stampRound(options, signal);
    return timestampsMs;
  };
  return openWorkerLoop(round, {
    retryMs: timestampsMs,
    onError: (error) => options.log.error({ err: error }, "time-stamping failed, will retry"),
  });
}

async function stampRound(
  { db, now, log, authority: { url, everyMinutes } }: TimestampsOptions,
  signal: AbortSignal,
): Promise<void> {
  const head = await findCosignedHead(db);
  // An empty tree proves nothing.
  if (!head || head.size === 0) return;
  const { size, checkpoint } = head;
  const of = { url, size, everyMinutes, leaseSeconds: LEASE_SECONDS };
  const failures = await claimAuthority(db, of);
  if (failures === undefined) return;
  const result = await requestTimestamp(url, { text: checkpoint, now, signal });
  // Only the host is logged: the path may contain the operator's account.
  const authority = new URL(url).host;
  if (result.kind === "stamped") {
    const { reply, at } = result;
    await inTransaction(db, async (tx) => {
      await insertTimestamp(tx, { size, checkpoint, reply, stamped_at: at });
      await updateAuthority(tx, { url, failures: 0, waitSeconds: 0 });
    });
    log.info({ authority, size, at }, "checkpoint time-stamped");
    return;
  }
  if (signal.aborted) return updateAuthority(db, { url, failures, waitSeconds: 0 });
  const failed = { failures: failures + 1, waitSeconds: toBackOffSeconds(failures + 1) };
  const { reason } = result;
  log.warn({ authority, reason, ...failed }, "time-stamp request failed");
  await updateAuthority(db, { url, ...failed });
}

/**
 * The time-stamps of the log, the newest first.
 * @throws Fault invalid for a cursor of another list
 */
export async function listTimestamps(
  db: DataDb,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<CursorPage<Pick<TimestampRow, "size" | "stamped_at">>> {
  const [text] = parseCursor(cursor, 1) ?? [];
  const before = text === undefined ? Number.MAX_SAFE_INTEGER : parseSize(text);
  if (before === undefined) throw toCursorFault();
  const rows = await listTimestampsBefore(db, before, limit + 1);
  return toCursorPage(rows, limit, {
    keyOf: ({ size }) => [String(size)],
    toItem: (row) => row,
  });
}

/** Parses the tree size in a URL; undefined if it is invalid. */
export function parseSize(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
