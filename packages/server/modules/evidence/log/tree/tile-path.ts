import { TILE_WIDTH } from "@avow/contract/merkle";

/** The tile in a URL: its first `width` hashes. */
export interface TileName {
  level: number;
  index: number;
  width: number;
}

/** The level of entry tiles in the database. */
export const ENTRIES_LEVEL = -1;
const LEVEL_MAX = 63;
const pattern = /^(entries|0|[1-9]\d?)\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/**
 * Parses a path below `/tile/` (C2SP tlog-tiles): the level, or `entries`; the index in groups of three digits, all
 * but the last prefixed with an x; and `.p/W` for a partial tile.
 */
export function parseTilePath(path: string): TileName | undefined {
  const [, level, number = "", partial] = pattern.exec(path) ?? [];
  if (level === undefined) return undefined;
  const width = partial === undefined ? TILE_WIDTH : Number(partial);
  const digits = number.replaceAll(/[x/]/g, "");
  // Each tile has one spelling: no leading groups of zeros.
  const isShortest = digits.length === 3 || !digits.startsWith("000");
  const isPartial = partial === undefined || width < TILE_WIDTH;
  if (!isShortest || !isPartial || Number(level) > LEVEL_MAX) return undefined;
  return {
    level: level === "entries" ? ENTRIES_LEVEL : Number(level),
    index: Number(digits),
    width,
  };
}

const ENTRY_LENGTH = Buffer.from([0, 32]);

/** An entry bundle (C2SP tlog-tiles): each entry is prefixed with its length as a big-endian uint16. */
export function toEntryBundle(entries: Buffer): Buffer {
  const bundle: Buffer[] = [];
  for (let at = 0; at < entries.length; at += 32)
    bundle.push(ENTRY_LENGTH, entries.subarray(at, at + 32));
  return Buffer.concat(bundle);
}
