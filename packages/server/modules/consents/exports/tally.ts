import { type Hash, createHash } from "node:crypto";
import type { Page } from "./pages.ts";

const STRETCH_COUNT = 65_536;
const STRETCHES_MAX = 256;

/** A position at which a truncated file can be resumed, after the record `last`. */
interface CutPoint {
  bytes: number;
  count: number;
  last: string;
  sha256: string;
}

/** Totals of what was written so far. */
export interface Tally {
  readonly bytes: number;
  readonly count: number;
  readonly first: string | null;
  readonly last: string | null;
  readonly cutPoints: readonly CutPoint[];
  /** Counts a piece of the file, and returns it. */
  addPiece(piece: Uint8Array): Uint8Array;
  /** Counts the records of a page, after its pieces; returns whether it added a cut point. */
  addPage(page: Page): boolean;
  /** The SHA-256 of every piece, in hexadecimal. */
  digest(): string;
}

export function openTally(): Tally {
  const hash: Hash = createHash("sha256");
  const digest = (): string => hash.copy().digest("hex");
  const tally = {
    bytes: 0,
    count: 0,
    first: null as string | null,
    last: null as string | null,
    cutPoints: [] as CutPoint[],
    addPiece(piece: Uint8Array): Uint8Array {
      hash.update(piece);
      tally.bytes += piece.length;
      return piece;
    },
    addPage({ count, first, last }: Page): boolean {
      tally.count += count;
      tally.first ??= first ?? null;
      tally.last = last ?? tally.last;
      const { bytes, cutPoints } = tally;
      if (tally.last === null || tally.count - (cutPoints.at(-1)?.count ?? 0) < STRETCH_COUNT)
        return false;
      cutPoints.push({ bytes, count: tally.count, last: tally.last, sha256: digest() });
      if (cutPoints.length > STRETCHES_MAX) cutPoints.shift();
      return true;
    },
    digest,
  };
  return tally;
}
