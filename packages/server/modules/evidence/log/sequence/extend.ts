import { setImmediate } from "node:timers/promises";
import type { DataTx } from "../../../../platform/db/db.ts";
import { HASH_BYTES, TILE_WIDTH, type Edge, type Tile } from "@avow/contract/merkle";
import { type NoteKey, signNote, toCheckpoint } from "../note.ts";
import { type HeadRow, replaceHead, writeTiles } from "../store.ts";
import { ENTRIES_LEVEL } from "../tree/tile-path.ts";
import { readTile } from "../tiles.ts";
import { appendEntries, rootOf } from "../tree/merkle.ts";

/** Entries hashed before yielding to the event loop, which also serves requests. */
const YIELD_INTERVAL = 500;

/**
 * Appends entries to the latest tree, writes every tile that changes and signs the new tree. Without entries, it
 * signs the latest tree again. Requires the sequencer's lock.
 * @throws Error if another tree was signed concurrently
 */
export async function extendTree(
  tx: DataTx,
  extension: {
    origin: string;
    /** The latest tree; undefined before the first. */
    head: HeadRow | undefined;
    /** The assignment of leaves that the entries are of, or the last one before. */
    term: number;
    entries: readonly Buffer[];
    keys: readonly NoteKey[];
    at: Date;
  },
): Promise<HeadRow> {
  const { origin, term, entries, keys, at } = extension;
  const size = extension.head?.size ?? 0;
  const { edge, tiles } = await appendYielding(await readEdge(tx, size), entries);
  await writeTiles(tx, [...tiles, ...(await toEntryTiles(tx, size, entries))]);
  const text = toCheckpoint({ origin, size: edge.size, root: rootOf(edge) });
  const head: HeadRow = {
    origin,
    size: edge.size,
    checkpoint: signNote(text, keys),
    keys: keys.map(({ verifier }) => verifier),
    signed_at: at,
  };
  if (!(await replaceHead(tx, { size, term }, head)))
    throw new Error("Another tree was signed concurrently.");
  return head;
}

/** Like `appendEntries`, but yields to the event loop. Returns each changed tile once, in its final state. */
async function appendYielding(
  from: Edge,
  entries: readonly Buffer[],
): Promise<{ edge: Edge; tiles: Tile[] }> {
  let edge = from;
  const changed = new Map<string, Tile>();
  for (let at = 0; at < entries.length; at += YIELD_INTERVAL) {
    if (at > 0) await setImmediate();
    const next = appendEntries(edge, entries.slice(at, at + YIELD_INTERVAL));
    edge = next.edge;
    for (const tile of next.tiles) changed.set(`${tile.level} ${tile.index}`, tile);
  }
  return { edge, tiles: [...changed.values()] };
}

/** Reads the right edge of the tree of `size` leaves from its tiles. */
export async function readEdge(tx: DataTx, size: number): Promise<Edge> {
  const levels: Buffer[] = [];
  for (let level = 0, count = size; count > 0; level += 1) {
    const index = Math.floor(count / TILE_WIDTH);
    levels.push(await readTile(tx, { level, index, width: count % TILE_WIDTH }));
    count = index;
  }
  return { size, levels };
}

/** The entry tiles that the new entries change or add. */
async function toEntryTiles(tx: DataTx, size: number, entries: readonly Buffer[]): Promise<Tile[]> {
  const first = Math.floor(size / TILE_WIDTH);
  const last = { level: ENTRIES_LEVEL, index: first, width: size % TILE_WIDTH };
  const row = Buffer.concat([await readTile(tx, last), ...entries]);
  const bytes = TILE_WIDTH * HASH_BYTES;
  return Array.from({ length: Math.ceil(row.length / bytes) }, (_, at) => ({
    level: ENTRIES_LEVEL,
    index: first + at,
    hashes: row.subarray(at * bytes, (at + 1) * bytes),
  }));
}
