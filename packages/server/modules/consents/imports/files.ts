import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { Fault } from "../../../platform/errors.ts";
import { type Bounds, type Upload, receiveUpload } from "./receive.ts";

/** Each holds a connection and writes to the disk. */
const UPLOADS_MAX = 16;

/** The files of imports: uploads, and lists of rejected lines. */
export interface ImportFiles {
  pathOf: (id: string) => string;
  /**
   * Writes an upload to the disk, durably; a rejected upload leaves no file.
   * @throws Fault too-large, invalid (empty, or no gzip), busy (disk nearly full, or too many
   * uploads at once); and the errors of `take`
   */
  receive: (id: string, body: Readable, given: Pick<Bounds, "isGzip" | "take">) => Promise<Upload>;
  /** Opens the file of rejected lines for appending, truncated to its valid `length`. */
  openRejected: (id: string, length: number) => Promise<FileHandle>;
  /** The valid part of the rejected lines; undefined without a file. */
  readRejected: (id: string, length: number) => Promise<Readable | undefined>;
  removeUpload: (id: string) => Promise<void>;
  remove: (id: string) => Promise<void>;
  /** Spare bytes of the folder's disk; see `readSpareBytes` of the platform. */
  readSpareBytes: () => Promise<number>;
  /** The files of all imports, with the time of their last write. */
  list: () => Promise<{ id: string; writtenAt: Date }[]>;
}

/** Opens the folder of imports; creates it if missing. */
export async function openImportFiles(
  folder: string,
  options: { bytesMax: number; readSpareBytes: () => Promise<number> },
): Promise<ImportFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const pathOf = (id: string) => join(folder, id);
  const rejectedOf = (id: string) => join(folder, `${id}.refused.csv`);
  const removeUpload = (id: string) => rm(pathOf(id), { force: true });
  let uploads = 0;
  return {
    pathOf,
    async receive(id, body, given) {
      if (uploads >= UPLOADS_MAX)
        throw new Fault("busy", "Too many uploads at once. Try again in a few seconds.", {
          retryAfterSeconds: 5,
        });
      uploads += 1;
      try {
        return await receiveUpload(pathOf(id), body, { ...options, ...given });
      } finally {
        uploads -= 1;
      }
    },
    async openRejected(id, length) {
      const file = await open(rejectedOf(id), length === 0 ? "w" : "r+", 0o600);
      await file.truncate(length);
      return file;
    },
    async readRejected(id, length) {
      const exists = await stat(rejectedOf(id)).catch(() => undefined);
      if (!exists) return undefined;
      return createReadStream(rejectedOf(id), { end: Math.max(0, length - 1) });
    },
    readSpareBytes: options.readSpareBytes,
    removeUpload,
    async remove(id) {
      await removeUpload(id);
      await rm(rejectedOf(id), { force: true });
    },
    list: () => list(folder),
  };
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
