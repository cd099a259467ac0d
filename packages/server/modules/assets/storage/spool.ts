import { createHash, randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Fault, codeOf } from "../../../platform/errors.ts";

export const FILE_BYTES_MAX = 20 * 1024 * 1024;
/** Interval of bytes at which the free disk space is checked. */
const STEP_BYTES = 4 * 1024 * 1024;
const DISK_FULL_RETRY_SECONDS = 60;
/** Maximum concurrent uploads. Each uses a connection and disk space. */
const UPLOADS_MAX = 64;
const UPLOADS_OF_USER_MAX = 8;
/** Minimum age of abandoned files: longer than any request, since another process may use the same folder. */
const ABANDONED_MS = 15 * 60_000;

/** Temporary files on the local disk, which last as long as a request. */
export interface Spool {
  /**
   * Opens an upload; its files are removed when it is disposed.
   * @throws Fault too-many (limit of the user), busy (total limit)
   */
  openUpload: (user: string) => Upload;
  /** @throws Fault busy when the disk is full */
  assertDiskSpace: () => Promise<void>;
  /** Opens temporary files of one render; they are removed when it is disposed. */
  openScratch: () => Scratch;
  /** Removes files of crashed processes. */
  removeAbandoned: (now: Date) => Promise<void>;
}

export interface Scratch extends AsyncDisposable {
  /** A path for a new file. */
  newPath: () => string;
}

export interface Upload extends Scratch {
  /**
   * Writes a body to a new file.
   * @throws Fault invalid (empty), too-large, busy (disk full)
   */
  receive: (body: Readable) => Promise<Received>;
}

/** A completely received file; `size` is in bytes. */
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

/** Opens the folder of temporary files, and creates it if missing. */
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
  const assertDiskSpace = async (): Promise<void> => {
    if ((await readSpareBytes()) < 0) throw toDiskFull();
  };
  return {
    assertDiskSpace,
    openScratch,
    openUpload(user) {
      const own = users.filter((one) => one === user).length;
      const later = { retryAfterSeconds: 5 };
      if (own >= UPLOADS_OF_USER_MAX)
        throw new Fault(
          "too-many",
          `${UPLOADS_OF_USER_MAX} of your uploads are in progress. Retry when one has finished.`,
          later,
        );
      if (users.length >= UPLOADS_MAX)
        throw new Fault("busy", "Too many uploads are in progress. Retry in a few seconds.", later);
      users.push(user);
      const scratch = openScratch();
      return {
        newPath: scratch.newPath,
        receive: (body) => receive(scratch.newPath(), body, assertDiskSpace),
        async [Symbol.asyncDispose]() {
          users.splice(users.indexOf(user), 1);
          await scratch[Symbol.asyncDispose]();
        },
      };
    },
    removeAbandoned: (now) => removeAbandoned(folder, now.getTime() - ABANDONED_MS),
  };
}

async function receive(
  path: string,
  body: Readable,
  assertDiskSpace: () => Promise<void>,
): Promise<Received> {
  const digest = createHash("sha256");
  let size = 0;
  let askAt = 0;
  const count = async function* (blocks: AsyncIterable<Buffer>) {
    for await (const block of blocks) {
      size += block.length;
      if (size > FILE_BYTES_MAX)
        throw new Fault("too-large", `A file may have at most ${FILE_BYTES_MAX} bytes (20 MiB).`);
      if (size > askAt) {
        await assertDiskSpace();
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
    throw code === "ENOSPC" || code === "EDQUOT" ? toDiskFull(error) : error;
  }
  if (size === 0) throw new Fault("invalid", "The file is empty.");
  return { path, size, sha256: digest.digest("hex") };
}

function toDiskFull(cause?: unknown): Fault {
  const detail = "The disk is full, so nothing was stored. Retry later.";
  return new Fault("busy", detail, { cause, retryAfterSeconds: DISK_FULL_RETRY_SECONDS });
}

async function removeAbandoned(folder: string, beforeMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtimeMs < beforeMs) await rm(path, { force: true });
  }
}
