import { readFreeBytes } from "@avow/postgres/free-bytes";
import type { FastifyBaseLogger } from "fastify";
import { Fault } from "./errors.ts";

const POLL_MS = 250;
const RETRY_AFTER_SECONDS = 5;
/** Hysteresis, as a part of the reserve: writes resume above reserve plus margin. */
const MARGIN = 1 / 8;
/** Multiple of the reserve that background writes leave free, so that they stop well before collection does. */
const BACKGROUND_RESERVES = 2;

/** The free space of the disk that the service writes to. */
export interface DiskSpace {
  /**
   * Reads no disk, so that a job may call it before each chunk.
   *
   * @throws Fault busy while the disk is nearly full
   */
  assertFree(): void;
  /** The last result of `readSpareBytes`, at most a quarter of a second old. */
  spareBytes(): number;
}

/** Used where the database's disk is not on this machine. */
export const unwatchedDisk: DiskSpace = Object.freeze({
  assertFree: () => undefined,
  spareBytes: () => Number.POSITIVE_INFINITY,
});

/**
 * Bytes that background work may write to the disk of `folder`: the free space beyond twice the reserve. Negative
 * when less is free; infinite without a reserve.
 */
export async function readSpareBytes(folder: string, reserveBytes: number): Promise<number> {
  return toSpareBytes(reserveBytes === 0 ? 0 : await readFreeBytes(folder), reserveBytes);
}

function toSpareBytes(freeBytes: number, reserveBytes: number): number {
  return reserveBytes === 0
    ? Number.POSITIVE_INFINITY
    : freeBytes - BACKGROUND_RESERVES * reserveBytes;
}

/**
 * Polls the free space of the disk of `folder` four times a second, until disposal. The disk counts as full below
 * `reserveBytes`, which PostgreSQL needs for its write-ahead log. Logs when the disk becomes full and when
 * it has space again.
 */
export async function watchDiskSpace(options: {
  folder: string;
  reserveBytes: number;
  log: Pick<FastifyBaseLogger, "warn" | "info">;
}): Promise<DiskSpace & Disposable> {
  const { folder, reserveBytes, log } = options;
  let isFull = false;
  let freeBytes = 0;
  const poll = async (): Promise<void> => {
    freeBytes = await readFreeBytes(folder);
    const threshold = isFull ? reserveBytes * (1 + MARGIN) : reserveBytes;
    if (freeBytes < threshold === isFull) return;
    isFull = !isFull;
    if (isFull) log.warn({ freeBytes, reserveBytes }, "disk nearly full, rejecting writes");
    else log.info({ freeBytes, reserveBytes }, "disk space available again");
  };
  await poll();
  let isPolling = false;
  const timer = setInterval(() => {
    // No second poll while the disk hangs.
    if (isPolling) return;
    isPolling = true;
    poll()
      .catch((err: unknown) => log.warn({ err }, "disk space check failed"))
      .finally(() => (isPolling = false));
  }, POLL_MS);
  timer.unref();
  return {
    assertFree() {
      if (isFull) throw toFault();
    },
    spareBytes: () => toSpareBytes(freeBytes, reserveBytes),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

function toFault(): Fault {
  return new Fault(
    "busy",
    "The disk is nearly full. Nothing can be written until space is freed.",
    {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      isLogged: true,
    },
  );
}
