import { createHash } from "node:crypto";
import type { ZipEntry } from "../../../../../platform/text/zip.ts";

interface FileSum {
  path: string;
  bytes: number;
  /** In hexadecimal digits. */
  sha256: string;
}

/** The hashes of all files written so far. */
export interface Sums {
  readonly files: readonly FileSum[];
  /** Returns a file that is hashed while it is written. */
  add: (path: string, chunks: AsyncIterable<string | Uint8Array>) => ZipEntry;
}

export function openSums(): Sums {
  const files: FileSum[] = [];
  return {
    files,
    add(path, chunks) {
      return { path, chunks: tallyChunks(chunks, (sum) => files.push({ path, ...sum })) };
    },
  };
}

async function* tallyChunks(
  chunks: AsyncIterable<string | Uint8Array>,
  onEnd: (sum: Omit<FileSum, "path">) => void,
): AsyncGenerator<Uint8Array> {
  const digest = createHash("sha256");
  let bytes = 0;
  for await (const chunk of chunks) {
    const piece = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    digest.update(piece);
    bytes += piece.length;
    yield piece;
  }
  onEnd({ bytes, sha256: digest.digest("hex") });
}

/** A file of a single chunk. */
export async function* whole<T extends string | Uint8Array>(file: T): AsyncGenerator<T> {
  yield file;
}
