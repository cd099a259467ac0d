import type { FastifyBaseLogger } from "fastify";
import { type Buckets, readAvailable } from "../../../platform/db/buckets/buckets.ts";
import type { DataTx } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { type StoredBytes, sumStored } from "./store.ts";

const RETRY_AFTER_SECONDS = 60;

/**
 * Limits the disk space of imports: uploads, waiting and running files, and lists of rejected lines.
 * The limit holds for all together; one user may take half of it.
 */
export interface Storage {
  /**
   * Reserves space for an upload; disposed once its import is requested or rejected. Files of buckets that are unavailable
   * are not counted.
   */
  openReservation: (
    buckets: Pick<Buckets, "home" | "list">,
    createdBy: string,
  ) => Promise<Reservation>;
  /** Throws `Fault` (too-many, busy) without space for an uploaded file beside those of the same bucket. */
  assertCapacity: (tx: DataTx, file: { createdBy: string; bytes: number }) => Promise<void>;
}

/** The space of one file during its upload. */
interface Reservation extends Disposable {
  /** Throws `Fault`: too-many over the limit of the user, busy over that of all. */
  take: (bytes: number) => void;
}

/**
 * Opens the storage of imports. Uploads in progress on other nodes are not counted.
 */
export function openStorage(
  bytesMax: number,
  log: Pick<FastifyBaseLogger, "warn">,
  sum: typeof sumStored = sumStored,
): Storage {
  const coming = new Set<{ createdBy: string; bytes: number }>();
  const sumComing = (createdBy: string, { own, all }: StoredBytes): StoredBytes => {
    const files = [...coming];
    const ofUser = files.filter((one) => one.createdBy === createdBy);
    return { own: own + sumBytes(ofUser), all: all + sumBytes(files) };
  };
  return {
    async openReservation(buckets, createdBy) {
      const stored = { own: 0, all: 0 };
      const { results, unavailable } = await readAvailable(buckets, (data) => sum(data, createdBy));
      if (unavailable.length > 0)
        log.warn({ buckets: unavailable }, "imports of unavailable buckets not counted");
      for (const { own, all } of results) {
        stored.own += own;
        stored.all += all;
      }
      const file = { createdBy, bytes: 0 };
      coming.add(file);
      return {
        take(bytes) {
          file.bytes += bytes;
          assertStored(sumComing(createdBy, stored), bytesMax);
        },
        [Symbol.dispose]: () => void coming.delete(file),
      };
    },
    async assertCapacity(tx, { createdBy, bytes }) {
      // Uploads that finished since this one began are included.
      const { own, all } = await sum(tx, createdBy);
      assertStored({ own: own + bytes, all: all + bytes }, bytesMax);
    },
  };
}

function sumBytes(files: readonly { bytes: number }[]): number {
  return files.reduce((total, { bytes }) => total + bytes, 0);
}

function assertStored({ own, all }: StoredBytes, bytesMax: number): void {
  const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  if (own * 2 > bytesMax) {
    const detail = `Your pending imports and lists of rejected lines would take more than ${Math.floor(bytesMax / 2)} bytes. Wait until imports have ended, or delete some.`;
    throw new Fault("too-many", detail, retry);
  }
  if (all > bytesMax) {
    const detail = `All pending imports would take more than ${bytesMax} bytes. Try again later.`;
    throw new Fault("busy", detail, retry);
  }
}
