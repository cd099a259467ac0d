import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { StartError } from "../start-error.ts";

/** Range at which the binary search ends and the rest is read at once. */
const CHUNK_BYTES = 4_096;
/** Exceeds the length of a hash, a count and a line end. */
const LINE_BYTES_MAX = 64;
const HASH_LENGTH = 40;
const line = /^[0-9A-F]{40}(:\d{1,15})?\r?$/i;

/** The passwords of a file of breached ones. Disposing closes the file. */
export interface BreachedPasswords extends AsyncDisposable {
  has(password: string): Promise<boolean>;
}

/**
 * Opens a file in the format of Pwned Passwords: sorted SHA-1 hashes in hexadecimal, one a line, each optionally with
 * `:` and a count. It has tens of gigabytes, so it is searched on the disk, with about thirty reads for a
 * password.
 *
 * @throws StartError when it cannot be read or has another format
 */
export async function openBreachedPasswords(path: string): Promise<BreachedPasswords> {
  await using opened = new AsyncDisposableStack();
  const file = await open(path).catch((error: unknown) => {
    throw new StartError(`PASSWORDS_BREACHED: ${path} cannot be read.`, { cause: error });
  });
  opened.defer(() => file.close());
  const { size } = await file.stat();
  const first = await readAt(file, 0, LINE_BYTES_MAX);
  if (!line.test(first.split("\n", 1)[0] ?? ""))
    throw new StartError(
      `PASSWORDS_BREACHED: ${path} is not a file of SHA-1 hashes, one a line, such as 0000…:12.`,
    );
  const open_ = opened.move();
  return {
    has: (password) => hasLine(file, size, toHash(password)),
    [Symbol.asyncDispose]: () => open_.disposeAsync(),
  };
}

function toHash(password: string): string {
  return createHash("sha1").update(password).digest("hex").toUpperCase();
}

/** Binary search for a line that begins with `wanted`. Invariant: such a line begins in `from`..`to`. */
async function hasLine(file: FileHandle, size: number, wanted: string): Promise<boolean> {
  let from = 0;
  let to = size;
  while (to - from > CHUNK_BYTES) {
    const middle = Math.floor((from + to) / 2);
    const text = await readAt(file, middle, 2 * LINE_BYTES_MAX);
    const begin = text.indexOf("\n") + 1;
    const hash = text.slice(begin, begin + HASH_LENGTH).toUpperCase();
    if (begin === 0 || hash.length < HASH_LENGTH)
      throw new Error(`The file of breached passwords has no valid line after byte ${middle}.`);
    if (hash <= wanted) from = middle + begin;
    else to = middle + 1;
  }
  const rest = await readAt(file, from, to - from + LINE_BYTES_MAX);
  return rest.split("\n").some((one) => one.slice(0, HASH_LENGTH).toUpperCase() === wanted);
}

/** Reads `length` bytes at `position`, or fewer at the end of the file. */
async function readAt(file: FileHandle, position: number, length: number): Promise<string> {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.toString("latin1", 0, filled);
}
