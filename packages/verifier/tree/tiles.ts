// C2SP tlog-tiles: https://c2sp.org/tlog-tiles
import { FormatError } from "../formats/errors.ts";

/** The number of hashes of a full tile. */
export const TILE_WIDTH = 256;
const LEVEL_MAX = 63;

export interface Tile {
  /** Level 0 has the leaves' hashes; each level above has one hash per full tile of the level below. */
  level: number | "entries";
  index: number;
  /** 1 to 255 for a partial tile, 256 for a full one. */
  width: number;
}

const pathPattern =
  /^tile\/(entries|0|[1-9][0-9]?)\/((?:x[0-9]{3}\/)*[0-9]{3})(?:\.p\/([1-9][0-9]{0,2}))?$/;

/** The tile's path below the log's prefix, such as `tile/0/x001/x234/067.p/5`. */
export function toTilePath({ level, index, width }: Tile): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/[0-9]{3}/g) ?? [];
  const path = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join("/");
  return `tile/${level}/${path}${width === TILE_WIDTH ? "" : `.p/${width}`}`;
}

/** @throws FormatError for a path that `toTilePath` does not return */
export function parseTilePath(path: string): Tile {
  const [, level = "", groups = "", width = String(TILE_WIDTH)] = pathPattern.exec(path) ?? [];
  const tile: Tile = {
    level: level === "entries" ? level : Number(level),
    index: Number(groups.replaceAll(/[x/]/g, "")),
    width: Number(width),
  };
  const isTile = Number.isSafeInteger(tile.index) && tile.width <= TILE_WIDTH;
  const isLevel = tile.level === "entries" || tile.level <= LEVEL_MAX;
  if (level !== "" && isTile && isLevel && toTilePath(tile) === path) return tile;
  throw new FormatError((say) => say.tilePath(path));
}

/** The width of a level's partial tile in a tree of `size` leaves; 0 without a partial tile. */
export function toPartialWidth(size: number, level: number): number {
  return Math.floor(size / TILE_WIDTH ** level) % TILE_WIDTH;
}

/** The number of full tiles of a level in a tree of `size` leaves. */
export function countFullTiles(size: number, level: number): number {
  return Math.floor(size / TILE_WIDTH ** (level + 1));
}
