import { createReadStream } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { type Entry, openPromise } from "yauzl";
import { toReason } from "./client.ts";
import { CommandError } from "./errors.ts";

/** More files are in no dossier. */
const FILES_MAX = 50_000;
/** How a ZIP archive begins; an empty one begins with its end. */
const zipStarts = new Set(["PK\u0003\u0004", "PK\u0005\u0006"]);

/** Files of a ZIP archive or of a folder, by their paths with slashes. */
export interface Archive extends Disposable {
  names: readonly string[];
  /** The bytes of a file, block by block. @throws CommandError where they are damaged */
  stream: (name: string) => AsyncIterable<Uint8Array>;
}

/** Whether a path is a folder or a ZIP archive; what is not there is neither. */
export async function isArchive(file: string): Promise<boolean> {
  const path = toPath(file);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return true;
  if (!found?.isFile()) return false;
  await using handle = await open(path);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
  return zipStarts.has(buffer.toString("latin1", 0, bytesRead));
}

/**
 * Opens a ZIP archive or a folder.
 * @throws CommandError for an archive that cannot be read, names a file twice, or has more than 50,000
 */
export async function openArchive(file: string): Promise<Archive> {
  const path = toPath(file);
  return (await stat(path)).isDirectory() ? openFolder(path) : openZip(file, path);
}

/** npm runs its scripts in the folder of the package. */
function toPath(file: string): string {
  return resolve(process.env["INIT_CWD"] ?? "", file);
}

/** The bytes of a file as a whole. @throws CommandError where there are more than `bytesMax` */
export async function readWhole(
  archive: Archive,
  name: string,
  bytesMax: number,
): Promise<Uint8Array> {
  const blocks: Uint8Array[] = [];
  let bytes = 0;
  for await (const block of archive.stream(name)) {
    bytes += block.length;
    if (bytes > bytesMax)
      throw new CommandError(`${name} has more than ${bytesMax / 1024 / 1024} MiB.`);
    blocks.push(block);
  }
  return Buffer.concat(blocks);
}

async function openFolder(path: string): Promise<Archive> {
  const found = await readdir(path, { recursive: true, withFileTypes: true });
  const names = found
    .filter((one) => one.isFile())
    .map((one) => relative(path, join(one.parentPath, one.name)).split(sep).join("/"))
    .toSorted();
  assertCount(names.length, path);
  return {
    names,
    stream: (name) => createReadStream(join(path, name)),
    [Symbol.dispose]: () => undefined,
  };
}

async function openZip(file: string, path: string): Promise<Archive> {
  const entries = new Map<string, Entry>();
  const damaged = (error: unknown): CommandError =>
    new CommandError(`${file} is damaged: ${toReason(error)}`, { cause: error });
  const zip = await openPromise(path, { autoClose: false }).catch((error: unknown) => {
    throw damaged(error);
  });
  try {
    assertCount(zip.entryCount, file);
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith("/")) continue;
      if (entries.has(entry.fileName)) throw new Error(`${entry.fileName} is in it twice.`);
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    zip.close();
    throw error instanceof CommandError ? error : damaged(error);
  }
  return {
    names: [...entries.keys()],
    async *stream(name) {
      const entry = entries.get(name);
      if (!entry) throw new CommandError(`${file} has no ${name}.`);
      try {
        yield* (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>;
      } catch (error) {
        throw damaged(error);
      }
    },
    [Symbol.dispose]: () => zip.close(),
  };
}

function assertCount(count: number, file: string): void {
  if (count > FILES_MAX) throw new CommandError(`${file} has more than ${FILES_MAX} files.`);
}
