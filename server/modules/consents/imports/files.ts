import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { Fault, codeOf } from "../../../platform/errors.ts";

/** Each holds a connection and writes to the disk. */
const UPLOADS_MAX = 16;

/** A file that was received. */
export interface Upload {
  size: number;
  sha256: string;
}

/** The files of imports: what was uploaded, and the lines that were refused. */
export interface ImportFiles {
  pathOf: (id: string) => string;
  /**
   * Writes what comes to the disk, durably.
   * @throws Fault too-large, invalid (empty, or no gzip), busy (no room, or too many at once)
   */
  receive: (id: string, body: Readable, isGzip: boolean) => Promise<Upload>;
  /** The file of refused lines, cut to what is valid, to be written on from there. */
  openRefused: (id: string, length: number) => Promise<FileHandle>;
  /** The valid part of it; undefined when it is not there. */
  readRefused: (id: string, length: number) => Promise<Readable | undefined>;
  removeUpload: (id: string) => Promise<void>;
  remove: (id: string) => Promise<void>;
  /** Every import that has files, and when they were last written. */
  list: () => Promise<{ id: string; writtenAt: Date }[]>;
}

/** Opens the folder of imports, which is made where it is not there. */
export async function openImportFiles(folder: string, bytesMax: number): Promise<ImportFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const pathOf = (id: string) => join(folder, id);
  const refusedOf = (id: string) => join(folder, `${id}.refused.csv`);
  const removeUpload = (id: string) => rm(pathOf(id), { force: true });
  let uploads = 0;
  return {
    pathOf,
    async receive(id, body, isGzip) {
      if (uploads >= UPLOADS_MAX)
        throw new Fault("busy", "Too many files come in at once.", { retryAfterSeconds: 5 });
      uploads += 1;
      try {
        return await receive(pathOf(id), body, { isGzip, bytesMax });
      } catch (error) {
        await removeUpload(id);
        throw toFault(error);
      } finally {
        uploads -= 1;
      }
    },
    async openRefused(id, length) {
      const file = await open(refusedOf(id), length === 0 ? "w" : "r+", 0o600);
      await file.truncate(length);
      return file;
    },
    async readRefused(id, length) {
      const exists = await stat(refusedOf(id)).catch(() => undefined);
      if (!exists) return undefined;
      return createReadStream(refusedOf(id), { end: Math.max(0, length - 1) });
    },
    removeUpload,
    async remove(id) {
      await removeUpload(id);
      await rm(refusedOf(id), { force: true });
    },
    list: () => list(folder),
  };
}

async function receive(
  path: string,
  body: Readable,
  { isGzip, bytesMax }: { isGzip: boolean; bytesMax: number },
): Promise<Upload> {
  const digest = createHash("sha256");
  let size = 0;
  const count = async function* (blocks: AsyncIterable<Buffer>) {
    for await (const block of blocks) {
      size += block.length;
      if (size > bytesMax)
        throw new Fault("too-large", `A file to import has at most ${bytesMax} bytes.`);
      digest.update(block);
      yield block;
    }
  };
  const file = createWriteStream(path, { flags: "wx", mode: 0o600, flush: true });
  if (isGzip) await pipeline(body, createGunzip(), count, file);
  else await pipeline(body, count, file);
  if (size === 0) throw new Fault("invalid", "The file is empty.");
  return { size, sha256: digest.digest("hex") };
}

function toFault(error: unknown): unknown {
  const code = codeOf(error);
  if (code.startsWith("Z_")) return new Fault("invalid", "The body is not whole or not gzip.");
  if (code === "ENOSPC" || code === "EDQUOT")
    return new Fault("busy", "There is no room for the file.", {
      cause: error,
      retryAfterSeconds: 60,
    });
  if (code === "ERR_STREAM_PREMATURE_CLOSE")
    return new Fault("invalid", "The request was cut off.");
  return error;
}

async function list(folder: string): Promise<{ id: string; writtenAt: Date }[]> {
  const names = await readdir(folder);
  const found = await Promise.all(
    names.map(async (name) => {
      const [id = ""] = name.split(".");
      const stats = await stat(join(folder, name)).catch(() => undefined);
      return stats && /^[0-9a-f]{24}$/.test(id) ? [{ id, writtenAt: stats.mtime }] : [];
    }),
  );
  return found.flat();
}
