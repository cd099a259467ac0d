// C2SP tlog-tiles: https://c2sp.org/tlog-tiles
import { FormatError } from "../formats/errors.ts";

/** How many hashes a full tile has. */
export const TILE_WIDTH = 256;
const LEVEL_MAX = 63;

export interface Tile {
  /** 0 has the leaves' hashes; each level above has one hash for a full tile below. */
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

/** @throws FormatError for a path that `toTilePath` would not write */
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

/** How many hashes the partial tile of a level has in a tree of a size; 0 where there is none. */
export function toPartialWidth(size: number, level: number): number {
  return Math.floor(size / TILE_WIDTH ** level) % TILE_WIDTH;
}

/** How many full tiles a level has in a tree of a size. */
export function countFullTiles(size: number, level: number): number {
  return Math.floor(size / TILE_WIDTH ** (level + 1));
}
