import { createReadStream } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { crc32 } from "node:zlib";
import { type Entry, openPromise } from "yauzl";
import { CommandError, toReason } from "../terminal/errors.ts";
import { toPath } from "../terminal/path.ts";

/** More files are in no dossier. */
export const FILES_MAX = 50_000;
const GIB = 1024 ** 3;
/** Of one file unpacked: more than the table of ten thousand consents. */
const ENTRY_BYTES_MAX = GIB;
/** Of all files of an archive unpacked. */
const ARCHIVE_BYTES_MAX = 8 * GIB;
/** What a small archive may unpack to, however well it is packed. */
const FREE_BYTES = 64 * 1024 * 1024;
/** Of dossiers it is 3 to 20; what is made to fill a reader's time comes to 1,000. */
const RATIO_MAX = 100;
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
 * @throws CommandError for an archive that cannot be read, names a file twice, has more than 50,000, or
 *   unpacks to more than 1 GiB in a file, 8 GiB in all, or beyond 64 MiB a hundred times its own bytes
 */
export async function openArchive(file: string): Promise<Archive> {
  const path = toPath(file);
  return (await stat(path)).isDirectory() ? openFolder(path) : openZip(file, path);
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
    new CommandError(`${file} is damaged: ${toReason(error)}`);
  const zip = await openPromise(path, { autoClose: false }).catch((error: unknown) => {
    throw damaged(error);
  });
  try {
    assertCount(zip.entryCount, file);
    let bytes = 0;
    for await (const entry of zip.eachEntry()) {
      bytes += entry.uncompressedSize;
      assertBytes(file, { packed: zip.fileSize, bytes, entry });
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
        // It ends with an error beyond the bytes that the entry tells, which are bounded above.
        yield* withCrc(await zip.openReadStreamPromise(entry), entry);
      } catch (error) {
        throw damaged(error);
      }
    },
    [Symbol.dispose]: () => zip.close(),
  };
}

/** The blocks of an entry. @throws Error behind the last where they are not those that were packed */
async function* withCrc(
  blocks: AsyncIterable<unknown>,
  entry: Entry,
): AsyncGenerator<Uint8Array, void> {
  let found = 0;
  for await (const block of blocks as AsyncIterable<Uint8Array>) {
    found = crc32(block, found);
    yield block;
  }
  if (found !== entry.crc32) throw new Error(`the CRC-32 of ${entry.fileName} is another.`);
}

/** By what the archive tells of itself, before anything of it is unpacked. */
function assertBytes(
  file: string,
  { packed, bytes, entry }: { packed: number; bytes: number; entry: Entry },
): void {
  const refuse = (why: string): never => {
    throw new CommandError(`${file} was not unpacked: ${why}`);
  };
  if (entry.uncompressedSize > ENTRY_BYTES_MAX)
    refuse(`${entry.fileName} has more than ${ENTRY_BYTES_MAX / GIB} GiB.`);
  if (bytes > ARCHIVE_BYTES_MAX)
    refuse(`it holds more than ${ARCHIVE_BYTES_MAX / GIB} GiB in all.`);
  if (bytes > FREE_BYTES && bytes > packed * RATIO_MAX)
    refuse(`it holds more than ${RATIO_MAX} times its own bytes, as no dossier does.`);
}

function assertCount(count: number, file: string): void {
  if (count > FILES_MAX) throw new CommandError(`${file} has more than ${FILES_MAX} files.`);
}
