import { TILE_WIDTH } from "@avow/contract/merkle";

/** A tile as an address names it: its first `width` hashes. */
export interface TileName {
  level: number;
  index: number;
  width: number;
}

/** The level that entries are kept at. */
export const ENTRIES_LEVEL = -1;
const LEVEL_MAX = 63;
const pattern = /^(entries|0|[1-9]\d?)\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/**
 * The tile that a path below `/tile/` names (C2SP tlog-tiles): the level, or `entries`; the number
 * in groups of three digits, all but the last with an x before; `.p/W` of one that is not whole.
 */
export function parseTilePath(path: string): TileName | undefined {
  const [, level, number = "", partial] = pattern.exec(path) ?? [];
  if (level === undefined) return undefined;
  const width = partial === undefined ? TILE_WIDTH : Number(partial);
  const digits = number.replaceAll(/[x/]/g, "");
  // One way to write each: no groups of noughts in front.
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

/** Entries as their bundle has them (C2SP tlog-tiles): each with its length, a big-endian uint16, before it. */
export function toEntryBundle(entries: Buffer): Buffer {
  const bundle: Buffer[] = [];
  for (let at = 0; at < entries.length; at += 32)
    bundle.push(ENTRY_LENGTH, entries.subarray(at, at + 32));
  return Buffer.concat(bundle);
}
