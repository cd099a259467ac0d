import { type Tile, toTilePath } from "@avow/verifier/tiles";
import { type Client, createClient } from "@avow/client";
import type { Operation } from "@avow/client/operations";
import { Problem } from "@avow/client/problem";
import { retry } from "@avow/client/retry";
import { CommandError } from "../terminal/errors.ts";
import { toRetryOptions } from "../terminal/retries.ts";
import type { ReadableLog } from "./readable-log.ts";
import { HASH_BYTES } from "@avow/contract/merkle";

const TIMEOUT_MS = 30_000;
const CHECKPOINT_BYTES_MAX = 64 * 1024;
const KEYS_BYTES_MAX = 1024 * 1024;
/** Bytes of the length before each entry (C2SP tlog-tiles). */
const LENGTH_BYTES = 2;

/** The log that a service publishes under `url`, read over HTTP without a token. */
export function openPublicLog(url: string, signal: AbortSignal): ReadableLog {
  const client = createClient({ url });
  const getOnce = (path: string, bytesMax: number) =>
    fetchBytes(client, path, { bytesMax, signal });
  const get = (path: string, bytesMax: number) =>
    retry(() => getOnce(path, bytesMax), toRetryOptions({ signal }));
  return {
    name: `${url}/log`,
    async readCheckpoint(isWitnessed) {
      const path = isWitnessed ? "checkpoint/witnessed" : "checkpoint";
      // Not retried, so that a wrong address is reported immediately.
      const found = await getOnce(path, CHECKPOINT_BYTES_MAX);
      if (found) return found.toString();
      throw new CommandError(
        isWitnessed
          ? `${url}/log has no checkpoint that a witness cosigned.`
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
        throw new CommandError(`${url}/log/${path} is missing or has the wrong length.`);
      return tile.level === "entries" ? toEntries(bytes, tile) : bytes;
    },
  };
}

function toEntries(bundle: Buffer, tile: Tile): Buffer {
  const entries: Buffer[] = [];
  for (let at = 0; at < bundle.length; at += LENGTH_BYTES + HASH_BYTES) {
    if (bundle.readUInt16BE(at) !== HASH_BYTES)
      throw new CommandError(
        `${toTilePath(tile)} has an entry that is not ${HASH_BYTES} bytes long.`,
      );
    entries.push(bundle.subarray(at + LENGTH_BYTES, at + LENGTH_BYTES + HASH_BYTES));
  }
  return Buffer.concat(entries);
}

/** The bytes at a path below `/log`; undefined when not found. */
async function fetchBytes(
  client: Client,
  path: string,
  { bytesMax, signal }: { bytesMax: number; signal: AbortSignal },
): Promise<Buffer | undefined> {
  const operation: Operation<undefined, null> = ["GET", `/log/${path}`];
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const { body } = await client.sendFile(operation, undefined, { signal: limit });
    const blocks: Uint8Array[] = [];
    let bytes = 0;
    for await (const block of body ?? []) {
      bytes += block.length;
      if (bytes > bytesMax)
        throw new CommandError(`${client.url}/log/${path} is longer than ${bytesMax} bytes.`);
      blocks.push(block);
    }
    return Buffer.concat(blocks);
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined;
    throw error;
  }
}
