// The attacks open to an operator who has the database, the service's code and its keys.
import assert from "node:assert/strict";
import { readLogKeys } from "../../packages/server/modules/evidence/log/keys.ts";
import { signNote, toCheckpoint } from "../../packages/server/modules/evidence/log/note.ts";
import { toCanonical, toEntry } from "../../packages/server/modules/evidence/log/tree/entry.ts";
import { TILE_WIDTH, emptyEdge } from "@avow/contract/merkle";
import { appendEntries, rootOf } from "../../packages/server/modules/evidence/log/tree/merkle.ts";
import { type World, origin, query } from "./world.ts";

const HASH_BYTES = 32;

export async function readEntries(url: string): Promise<Buffer[]> {
  const rows = await query<{ hashes: Buffer }>(
    url,
    "SELECT hashes FROM log_tiles WHERE level = -1 ORDER BY number",
  );
  const bytes = Buffer.concat(rows.map(({ hashes }) => hashes));
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, at) =>
    bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );
}

/** Builds a log of these entries with every tile and a checkpoint signed with the real key. */
export async function rewriteLog(
  { dataDir }: World,
  url: string,
  entries: readonly Buffer[],
): Promise<void> {
  const { edge, tiles } = appendEntries(emptyEdge, entries);
  const entryTiles = Array.from({ length: Math.ceil(entries.length / TILE_WIDTH) }, (_, index) => ({
    level: -1,
    index,
    hashes: Buffer.concat(entries.slice(index * TILE_WIDTH, (index + 1) * TILE_WIDTH)),
  }));
  await query(url, "DELETE FROM log_tiles");
  for (const { level, index, hashes } of [...tiles, ...entryTiles])
    await query(url, "INSERT INTO log_tiles VALUES ($1, $2, $3)", [level, index, hashes]);
  const keys = await readLogKeys({ dataDir, origin, keys: undefined });
  const text = toCheckpoint({ origin, size: edge.size, root: rootOf(edge) });
  await query(url, "UPDATE log_heads SET size = $1, checkpoint = $2", [
    edge.size,
    signNote(text, keys),
  ]);
}

/** Finds the leaf of a consent and the salt of its commitment. */
export async function findLeaf(
  url: string,
  consentId: string,
): Promise<{ leaf: number; salt: Buffer }> {
  const [row] = await query<{ leaf: string; salt: Buffer }>(
    url,
    "SELECT leaf, salt FROM consent_salts WHERE consent_id = $1",
    [consentId],
  );
  assert.ok(row);
  return { leaf: Number(row.leaf), salt: row.salt };
}

/** Inverts a visitor's answer in the record only, not in the log. */
export async function flipAnswer(url: string, consentId: string): Promise<void> {
  await query(url, "UPDATE consents SET accept = NOT accept WHERE id = $1", [consentId]);
}

/** The log entry of a forged record. */
export function toForgedEntry(record: Record<string, unknown>, salt: Buffer): Buffer {
  return toEntry(toCanonical(record), salt);
}
