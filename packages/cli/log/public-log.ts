import { type Tile, toTilePath } from "@avow/verifier/tiles";
import { withRetries } from "../client.ts";
import { CommandError, ProblemError } from "../errors.ts";
import { HASH_BYTES, type TileSource } from "./tree.ts";

const TIMEOUT_MS = 30_000;
const CHECKPOINT_BYTES_MAX = 64 * 1024;
const KEYS_BYTES_MAX = 1024 * 1024;
/** Before each entry (C2SP tlog-tiles). */
const LENGTH_BYTES = 2;

/** A log that can be read. */
export interface ReadableLog extends TileSource {
  /** What it is called in reports. */
  name: string;
  /** The newest signed tree; with `isWitnessed` the newest that witnesses cosigned. */
  readCheckpoint: (isWitnessed: boolean) => Promise<string>;
  /** Who it says signs it, as JSON; undefined where it says nothing. */
  readKeys: () => Promise<string | undefined>;
}

/** The log that a service publishes under `url`, read over HTTP without a right to anything. */
export function openPublicLog(url: string, signal: AbortSignal): ReadableLog {
  const get = (path: string, bytesMax: number) =>
    withRetries(() => fetchBytes(`${url}/log/${path}`, bytesMax, signal), { signal });
  return {
    name: `${url}/log`,
    async readCheckpoint(isWitnessed) {
      const path = isWitnessed ? "checkpoint/witnessed" : "checkpoint";
      // A wrong address is told at once.
      const found = await fetchBytes(`${url}/log/${path}`, CHECKPOINT_BYTES_MAX, signal);
      if (found) return found.toString();
      throw new CommandError(
        isWitnessed
          ? `There is no tree of ${url}/log that a witness cosigned.`
          : `There is no log at ${url}/log.`,
      );
    },
    async readKeys() {
      return (await get("keys", KEYS_BYTES_MAX))?.toString();
    },
    async read(tile) {
      const path = toTilePath(tile);
      const length = tile.level === "entries" ? HASH_BYTES + LENGTH_BYTES : HASH_BYTES;
      const bytes = await get(path, tile.width * length);
      if (bytes?.length !== tile.width * length)
        throw new CommandError(`${url}/log/${path} is not there, or not as long as it has to be.`);
      return tile.level === "entries" ? toEntries(bytes, tile) : bytes;
    },
  };
}

function toEntries(bundle: Buffer, tile: Tile): Buffer {
  const entries: Buffer[] = [];
  for (let at = 0; at < bundle.length; at += LENGTH_BYTES + HASH_BYTES) {
    if (bundle.readUInt16BE(at) !== HASH_BYTES)
      throw new CommandError(
        `${toTilePath(tile)} has an entry that is not of ${HASH_BYTES} bytes.`,
      );
    entries.push(bundle.subarray(at + LENGTH_BYTES, at + LENGTH_BYTES + HASH_BYTES));
  }
  return Buffer.concat(entries);
}

/** What is at an address; undefined where nothing is. */
async function fetchBytes(
  url: string,
  bytesMax: number,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const answer = await fetch(url, { signal: limit });
  if (answer.status === 404) return undefined;
  if (!answer.ok || !answer.body)
    throw new ProblemError(answer.status, `${url} answers ${answer.status}.`);
  const blocks: Uint8Array[] = [];
  let bytes = 0;
  for await (const block of answer.body) {
    bytes += block.length;
    if (bytes > bytesMax) throw new CommandError(`${url} is longer than ${bytesMax} bytes.`);
    blocks.push(block);
  }
  return Buffer.concat(blocks);
}
