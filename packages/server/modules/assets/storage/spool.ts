import { createHash, randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Fault, codeOf } from "../../../platform/errors.ts";

export const FILE_BYTES_MAX = 20 * 1024 * 1024;
/** Room is asked for before so much is written. */
const STEP_BYTES = 4 * 1024 * 1024;
const NO_ROOM_SECONDS = 60;
/** Each holds a connection, and files on the disk. */
const UPLOADS_MAX = 64;
const UPLOADS_OF_USER_MAX = 8;
/** Older than what any request takes: another service may use the same folder. */
const LEFT_MS = 15 * 60_000;

/** Files of this machine's disk that last as long as a request. */
export interface Spool {
  /**
   * A place for one upload; its files are removed when it is disposed.
   * @throws Fault too-many (of one user), busy (of all)
   */
  openUpload: (user: string) => Upload;
  /** Throws `Fault` (busy) where the disk has no room for more. */
  assertRoom: () => Promise<void>;
  /** A place for one picture that is made; its files are removed when it is disposed. */
  openScratch: () => Scratch;
  /** Removes what a process left that ended in the middle. */
  removeLeft: (now: Date) => Promise<void>;
}

export interface Scratch extends AsyncDisposable {
  /** Where a new file may be written. */
  newPath: () => string;
}

export interface Upload extends Scratch {
  /**
   * Writes what comes to a file, and answers where.
   * @throws Fault invalid (empty), too-large, busy (no room)
   */
  receive: (body: Readable) => Promise<Received>;
}

/** A file that came whole; its size is in bytes. */
export interface Received {
  path: string;
  size: number;
  sha256: string;
}

interface SpoolOptions {
  folder: string;
  /** See `readSpareBytes` of the platform. */
  readSpareBytes: () => Promise<number>;
}

/** Opens the folder of files that come and go, which is made where it is not there. */
export async function openSpool({ folder, readSpareBytes }: SpoolOptions): Promise<Spool> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const users: string[] = [];
  const openScratch = (): Scratch => {
    const paths: string[] = [];
    return {
      newPath() {
        const path = join(folder, randomBytes(16).toString("hex"));
        paths.push(path);
        return path;
      },
      async [Symbol.asyncDispose]() {
        for (const path of paths) await rm(path, { force: true });
      },
    };
  };
  const assertRoom = async (): Promise<void> => {
    if ((await readSpareBytes()) < 0) throw toNoRoom();
  };
  return {
    assertRoom,
    openScratch,
    openUpload(user) {
      const own = users.filter((one) => one === user).length;
      const later = { retryAfterSeconds: 5 };
      if (own >= UPLOADS_OF_USER_MAX)
        throw new Fault("too-many", `${UPLOADS_OF_USER_MAX} of your uploads are coming in.`, later);
      if (users.length >= UPLOADS_MAX)
        throw new Fault("busy", "Too many files come in at once.", later);
      users.push(user);
      const scratch = openScratch();
      return {
        newPath: scratch.newPath,
        receive: (body) => receive(scratch.newPath(), body, assertRoom),
        async [Symbol.asyncDispose]() {
          users.splice(users.indexOf(user), 1);
          await scratch[Symbol.asyncDispose]();
        },
      };
    },
    removeLeft: (now) => removeLeft(folder, now.getTime() - LEFT_MS),
  };
}

async function receive(
  path: string,
  body: Readable,
  assertRoom: () => Promise<void>,
): Promise<Received> {
  const digest = createHash("sha256");
  let size = 0;
  let askAt = 0;
  const count = async function* (blocks: AsyncIterable<Buffer>) {
    for await (const block of blocks) {
      size += block.length;
      if (size > FILE_BYTES_MAX)
        throw new Fault("too-large", `A file has at most ${FILE_BYTES_MAX} bytes (20 MiB).`);
      if (size > askAt) {
        await assertRoom();
        askAt = size + STEP_BYTES;
      }
      digest.update(block);
      yield block;
    }
  };
  try {
    await pipeline(body, count, createWriteStream(path, { flags: "wx", mode: 0o600 }));
  } catch (error) {
    const code = codeOf(error);
    throw code === "ENOSPC" || code === "EDQUOT" ? toNoRoom(error) : error;
  }
  if (size === 0) throw new Fault("invalid", "The file is empty.");
  return { path, size, sha256: digest.digest("hex") };
}

function toNoRoom(cause?: unknown): Fault {
  const detail = "The disk has no room for more: nothing of this is kept. Try again later.";
  return new Fault("busy", detail, { cause, retryAfterSeconds: NO_ROOM_SECONDS });
}

async function removeLeft(folder: string, beforeMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtimeMs < beforeMs) await rm(path, { force: true });
  }
}
