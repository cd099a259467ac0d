import type { FastifyBaseLogger } from "fastify";
import type { Db } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { type CursorPage, parseCursor, toCursorFault, toCursorPage } from "../../../kernel/page.ts";
import { toBackOffSeconds } from "./asking.ts";
import { findCosignedHead } from "../log/heads.ts";
import type { Intervals } from "../../../kernel/intervals.ts";
import { openWorkerLoop } from "../../../platform/queues/worker-loop.ts";
import { askAuthority } from "./timestamp-request.ts";
import {
  type TimestampRow,
  claimAuthority,
  insertTimestamp,
  listTimestampsBefore,
  updateAuthority,
} from "./timestamp-store.ts";

/** Longer than asking may take. */
const LEASE_SECONDS = 30;

export interface TimestampsOptions {
  intervals: Intervals;
  db: Db;
  now: () => Date;
  log: Pick<FastifyBaseLogger, "info" | "warn" | "error">;
  authority: { url: string; everyMinutes: number };
}

/**
 * Opens the background work that has the newest checkpoint time-stamped (RFC 3161), whenever the log has
 * grown and the last stamp is old enough. The log does not wait for it: an authority that is away, slow
 * or wrong is asked again later, at most every five minutes. Nodes share who asks. Disposed, it gives up
 * what it is at.
 */
export function openTimestamps(options: TimestampsOptions): AsyncDisposable {
  const { timestampsMs } = options.intervals;
  const round = async (signal: AbortSignal): Promise<number> => {
    await stampRound(options, signal);
    return timestampsMs;
  };
  return openWorkerLoop(round, {
    retryMs: timestampsMs,
    onError: (error) =>
      options.log.error({ err: error }, "the log's checkpoint was not time-stamped"),
  });
}

async function stampRound(
  { db, now, log, authority: { url, everyMinutes } }: TimestampsOptions,
  signal: AbortSignal,
): Promise<void> {
  const head = await findCosignedHead(db);
  // Of an empty log nothing can be claimed.
  if (!head || head.size === 0) return;
  const { size, checkpoint } = head;
  const of = { url, size, everyMinutes, leaseSeconds: LEASE_SECONDS };
  const failures = await claimAuthority(db, of);
  if (failures === undefined) return;
  const asked = await askAuthority(url, { text: checkpoint, now, signal });
  // The address may have an account of the operator's in its path.
  const authority = new URL(url).host;
  if (asked.kind === "stamped") {
    const { reply, at } = asked;
    await inTransaction(db, async (tx) => {
      await insertTimestamp(tx, { size, checkpoint, reply, stamped_at: at });
      await updateAuthority(tx, { url, failures: 0, waitSeconds: 0 });
    });
    log.info({ authority, size, at }, "a checkpoint of the log was time-stamped");
    return;
  }
  if (signal.aborted) return updateAuthority(db, { url, failures, waitSeconds: 0 });
  const failed = { failures: failures + 1, waitSeconds: toBackOffSeconds(failures + 1) };
  const { reason } = asked;
  log.warn({ authority, reason, ...failed }, "a checkpoint of the log was not time-stamped");
  await updateAuthority(db, { url, ...failed });
}

/**
 * The time-stamps of the log, the newest first.
 * @throws Fault invalid for a cursor that is not of this list
 */
export async function listTimestamps(
  db: Db,
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

/** How many leaves a tree has, as addresses have it; undefined for what is none. */
export function parseSize(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
