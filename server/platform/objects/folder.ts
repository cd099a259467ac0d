import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { assertObjectKey } from "./objects.ts";
import type { Objects, StoredObject } from "./objects.ts";

/** Holds each object's content type and cache control, beside what is served. */
const metadataFolder = ".metadata";
const temporaryPattern = /^\..*\.tmp$/;
/** Younger temporary files may be another process's, in the middle of a put. */
const temporaryAgeMs = 10 * 60 * 1000;

type Metadata = Pick<StoredObject, "contentType" | "cacheControl">;

export interface FolderObjectsOptions {
  root: string;
  now: () => Date;
}

/**
 * Opens storage in a folder that a web server can serve as it is: the object `a/b.json` is the
 * file `a/b.json`. Each file is written beside its place, flushed and renamed over it, and the
 * folder flushed, so a put is atomic and durable. Temporary files that a crash left more than ten
 * minutes ago are removed on opening.
 */
export async function openFolderObjects({ root, now }: FolderObjectsOptions): Promise<Objects> {
  await mkdir(root, { recursive: true });
  await removeTemporaryFiles(root, now().getTime() - temporaryAgeMs);
  return {
    async putObject({ key, bytes, contentType, cacheControl }) {
      assertObjectKey(key);
      const metadata: Metadata = { contentType, cacheControl };
      // Metadata first: an object is never there without it.
      await replaceFile(root, toMetadataKey(key), Buffer.from(JSON.stringify(metadata)));
      await replaceFile(root, key, bytes);
    },
    async findObject(key) {
      assertObjectKey(key);
      const bytes = await findFile(join(root, key));
      if (bytes === undefined) return undefined;
      const metadata = toMetadata(await findFile(join(root, toMetadataKey(key))));
      const etag = `"${createHash("sha256").update(bytes).digest("hex")}"`;
      return { bytes, etag, ...metadata };
    },
    async deleteObject(key) {
      assertObjectKey(key);
      for (const path of [join(root, key), join(root, toMetadataKey(key))]) {
        if ((await findStat(path)) === undefined) continue;
        await rm(path, { force: true });
        await flushFolder(dirname(path));
      }
    },
  };
}

function toMetadataKey(key: string): string {
  return join(metadataFolder, key);
}

async function replaceFile(root: string, key: string, bytes: Uint8Array): Promise<void> {
  const path = join(root, key);
  const folder = dirname(path);
  const madeFirst = await mkdir(folder, { recursive: true });
  const temporary = join(folder, `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    const file = await open(temporary, "wx");
    try {
      await file.writeFile(bytes);
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
  // A folder that was made is an entry of its parent, which must be flushed too.
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

/** A file that was put there by hand has no metadata: it is served as bytes, and not kept. */
function toMetadata(json: Buffer | undefined): Metadata {
  if (json === undefined)
    return { contentType: "application/octet-stream", cacheControl: "no-cache" };
  return JSON.parse(json.toString("utf8")) as Metadata;
}

function findFile(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch(toUndefinedIfMissing);
}

function findStat(path: string) {
  return stat(path).catch(toUndefinedIfMissing);
}

/** Put there by hand, a folder may have a key's name: it is no object. */
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
