import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import {
  type FileHandle,
  mkdir,
  open,
  opendir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { assertObjectKey, isObjectKey } from "./objects.ts";
import type { ObjectFacts, ObjectMetadata, Objects } from "./objects.ts";

/** Contains each object's content type and cache control, outside the served paths. */
const metadataFolder = ".metadata";
const temporaryPattern = /^\..*\.tmp$/;
/** Younger temporary files may belong to a put that another process is running. */
const temporaryAgeMs = 10 * 60 * 1000;

export interface FolderObjectsOptions {
  root: string;
  now: () => Date;
}

/**
 * Opens storage in a folder that a web server can serve directly: the object `a/b.json` is the file `a/b.json`.
 * Each file is written to a temporary file, synced and renamed, and then the folder is synced, so a put is
 * atomic and durable. Opening removes temporary files older than ten minutes, which a crash has left.
 */
export async function openFolderObjects({ root, now }: FolderObjectsOptions): Promise<Objects> {
  await mkdir(root, { recursive: true });
  await removeTemporaryFiles(root, now().getTime() - temporaryAgeMs);
  const replace = async (key: string, metadata: ObjectMetadata, source: Source): Promise<void> => {
    assertObjectKey(key);
    // Metadata first, so that no object exists without it.
    await replaceFile(root, toMetadataKey(key), Buffer.from(JSON.stringify(metadata)));
    await replaceFile(root, key, source);
  };
  return {
    putObject: ({ key, bytes, ...metadata }) => replace(key, metadata, bytes),
    putFile: ({ key, path, contentType, cacheControl }) =>
      replace(key, { contentType, cacheControl }, () => createReadStream(path)),
    async findObject(key) {
      assertObjectKey(key);
      const file = await findFile(join(root, key));
      if (!file) return undefined;
      try {
        return await readFacts(root, key, file);
      } finally {
        await file.close();
      }
    },
    async openObject(key) {
      assertObjectKey(key);
      const file = await findFile(join(root, key));
      if (!file) return undefined;
      try {
        // An open file keeps its content when another one replaces it.
        const facts = await readFacts(root, key, file);
        return { ...facts, body: file.createReadStream({ start: 0 }) };
      } catch (error) {
        await file.close();
        throw error;
      }
    },
    async readRange(key, { start, length }) {
      assertObjectKey(key);
      const file = await findFile(join(root, key));
      if (!file) return undefined;
      try {
        const bytes = Buffer.alloc(length);
        const { bytesRead } = await file.read(bytes, 0, length, start);
        return bytes.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
    async deleteObject(key) {
      assertObjectKey(key);
      for (const path of [join(root, key), join(root, toMetadataKey(key))]) {
        if ((await findStat(path)) === undefined) continue;
        await rm(path, { force: true });
        await flushFolder(dirname(path));
      }
    },
    async *listKeys(prefix = "") {
      for await (const key of walk(root, "")) if (key.startsWith(prefix)) yield key;
    },
  };
}

/** Keys of the files below `folder`. Files that were added by hand under other names are no objects. */
async function* walk(root: string, folder: string): AsyncGenerator<string> {
  for await (const entry of await opendir(join(root, folder))) {
    const key = folder + entry.name;
    if (entry.isDirectory() && key !== metadataFolder) yield* walk(root, `${key}/`);
    else if (entry.isFile() && isObjectKey(key)) yield key;
  }
}

function toMetadataKey(key: string): string {
  return join(metadataFolder, key);
}

/** Bytes, or a function that opens a stream of them. */
type Source = Uint8Array | (() => AsyncIterable<Uint8Array>);

async function replaceFile(root: string, key: string, source: Source): Promise<void> {
  const path = join(root, key);
  const folder = dirname(path);
  const madeFirst = await mkdir(folder, { recursive: true });
  const temporary = join(folder, `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    const file = await open(temporary, "wx");
    try {
      await file.writeFile(typeof source === "function" ? source() : source);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await flushFolder(folder);
  // A new folder is an entry of its parent, which must be synced as well.
  for (let made = madeFirst && folder; made && made !== root; made = dirname(made)) {
    await flushFolder(dirname(made));
  }
}

async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function readFacts(root: string, key: string, file: FileHandle): Promise<ObjectFacts> {
  const { ino, size, mtimeNs } = await file.stat({ bigint: true });
  const metadata = await readMetadata(join(root, toMetadataKey(key)));
  const etag = `"${[ino, size, mtimeNs].map((part) => part.toString(36)).join("-")}"`;
  return { ...metadata, sizeBytes: Number(size), etag };
}

/** A file that was added by hand has no metadata: it is served as bytes, without caching. */
async function readMetadata(path: string): Promise<ObjectMetadata> {
  const json = await readFile(path, "utf8").catch(toUndefinedIfMissing);
  if (json === undefined)
    return { contentType: "application/octet-stream", cacheControl: "no-cache" };
  return JSON.parse(json) as ObjectMetadata;
}

async function findFile(path: string): Promise<FileHandle | undefined> {
  const file = await open(path, "r").catch(toUndefinedIfMissing);
  // A folder can be opened as well.
  if (!file || (await file.stat()).isFile()) return file;
  await file.close();
  return undefined;
}

function findStat(path: string) {
  return stat(path).catch(toUndefinedIfMissing);
}

/** A folder that was added by hand may have the name of a key, but is not an object. */
const missing = new Set(["ENOENT", "EISDIR", "ENOTDIR"]);

function toUndefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (!missing.has(error.code ?? "")) throw error;
}

async function removeTemporaryFiles(root: string, beforeMs: number): Promise<void> {
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !temporaryPattern.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const found = await findStat(path);
    if (found && found.mtimeMs < beforeMs) await rm(path, { force: true });
  }
}
