import { readFreeBytes } from "@avow/postgres/free-bytes";
import type { FastifyBaseLogger } from "fastify";
import { Fault } from "./errors.ts";

const POLL_MS = 250;
const RETRY_AFTER_SECONDS = 5;
/** By what part of itself the reserve has to be exceeded again, so that the state does not flicker. */
const MARGIN = 1 / 8;
/** So many times the reserve stays free of what nobody waits for, so that it ends well before collection does. */
const SPARED = 2;

/** Whether there is room on the disk for what is about to be written. */
export interface DiskRoom {
  /**
   * Costs nothing, so that a job may ask before each chunk.
   *
   * @throws Fault busy while the disk is nearly full
   */
  assertRoom(): void;
  /** As `readSpareBytes`, a quarter of a second old at most; costs nothing. */
  spareBytes(): number;
}

/** The room of a disk that is not ours to watch. */
export const unwatchedRoom: DiskRoom = Object.freeze({
  assertRoom: () => undefined,
  spareBytes: () => Number.POSITIVE_INFINITY,
});

/**
 * How many bytes may be written to the disk that holds `folder` by what visitors do not wait for: what
 * is free beyond twice the reserve. Below zero where that much is not free; without end where there is
 * no reserve.
 */
export async function readSpareBytes(folder: string, reserveBytes: number): Promise<number> {
  return toSpareBytes(reserveBytes === 0 ? 0 : await readFreeBytes(folder), reserveBytes);
}

function toSpareBytes(freeBytes: number, reserveBytes: number): number {
  return reserveBytes === 0 ? Number.POSITIVE_INFINITY : freeBytes - SPARED * reserveBytes;
}

/**
 * Watches the room of the disk that holds `folder`, four times a second, until it is disposed. Less
 * than `reserveBytes` is none: what is left is for PostgreSQL's log, without which it cannot go on.
 * The log tells the beginning and the end.
 */
export async function watchDiskRoom(options: {
  folder: string;
  reserveBytes: number;
  log: Pick<FastifyBaseLogger, "warn" | "info">;
}): Promise<DiskRoom & Disposable> {
  const { folder, reserveBytes, log } = options;
  let isShort = false;
  let freeBytes = 0;
  const look = async (): Promise<void> => {
    freeBytes = await readFreeBytes(folder);
    const wantedBytes = isShort ? reserveBytes * (1 + MARGIN) : reserveBytes;
    if (freeBytes < wantedBytes === isShort) return;
    isShort = !isShort;
    if (isShort) log.warn({ freeBytes, reserveBytes }, "the disk is nearly full: nothing is taken");
    else log.info({ freeBytes, reserveBytes }, "the disk has room again");
  };
  await look();
  let isLooking = false;
  const timer = setInterval(() => {
    // A disk that hangs is not asked again.
    if (isLooking) return;
    isLooking = true;
    look()
      .catch((err: unknown) => log.warn({ err }, "the room of the disk cannot be told"))
      .finally(() => (isLooking = false));
  }, POLL_MS);
  timer.unref();
  return {
    assertRoom() {
      if (isShort) throw toFault();
    },
    spareBytes: () => toSpareBytes(freeBytes, reserveBytes),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

function toFault(): Fault {
  return new Fault("busy", "The disk is nearly full: nothing can be written until it has room.", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    isTold: true,
  });
}
