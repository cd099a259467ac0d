import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress, createZstdDecompress } from "node:zlib";
import { CommandError } from "@avow/cli/errors";
import { type Objects, readObject } from "../../platform/objects/objects.ts";
import type { Part } from "./manifest.ts";

/** Bytes of a part, which is in memory while it is written or read. */
const PART_BYTES = 16 * 1024 * 1024;
const metadata = { contentType: "application/octet-stream", cacheControl: "private" };

/** Writes a file of the backup. */
export async function putPart(backup: Objects, key: string, bytes: Uint8Array): Promise<Part> {
  await backup.putObject({ key, bytes, ...metadata });
  return { key, sizeBytes: bytes.length, sha256: toSha256(bytes) };
}

/** Compresses a stream into parts `{key}.0001.zst` and so on. `onBytes` gets the numbers of uncompressed bytes. */
export async function putStream(
  backup: Objects,
  { key, stream, onBytes }: { key: string; stream: Readable; onBytes?: (count: number) => void },
): Promise<Part[]> {
  const parts: Part[] = [];
  if (onBytes) stream.on("data", (chunk: Buffer) => onBytes(chunk.length));
  await pipeline(stream, createZstdCompress(), async (compressed: AsyncIterable<Buffer>) => {
    let chunks: Buffer[] = [];
    let size = 0;
    const flush = async () => {
      const name = `${key}.${String(parts.length + 1).padStart(4, "0")}.zst`;
      parts.push(await putPart(backup, name, Buffer.concat(chunks)));
      chunks = [];
      size = 0;
    };
    for await (const chunk of compressed) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= PART_BYTES) await flush();
    }
    if (size > 0) await flush();
  });
  return parts;
}

/**
 * Reads a file of the backup.
 * @throws CommandError if it is missing, or if its bytes have changed
 */
export async function readPart(backup: Objects, { key, sha256 }: Part): Promise<Buffer> {
  const bytes = await readObject(backup, key);
  if (!bytes) throw new CommandError(`${key} is missing from the backup.`);
  if (toSha256(bytes) !== sha256)
    throw new CommandError(
      `${key} of the backup is damaged: its SHA-256 is not that of the manifest.`,
    );
  return bytes;
}

/** The stream that `putStream` has written. Each part is checked before any of its bytes is passed on. */
export function openStream(backup: Objects, parts: readonly Part[]): Readable {
  const compressed = Readable.from(
    (async function* () {
      for (const part of parts) yield await readPart(backup, part);
    })(),
  );
  const stream = createZstdDecompress();
  // The reader of the stream gets the error.
  pipeline(compressed, stream).catch((error: Error) => stream.destroy(error));
  return parts.length === 0 ? Readable.from([]) : stream;
}

export function toSha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
