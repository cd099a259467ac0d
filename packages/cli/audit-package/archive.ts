import { createReadStream } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { crc32 } from "node:zlib";
import { type Entry, openPromise } from "yauzl";
import { CommandError, toReason } from "../terminal/errors.ts";
import { toPath } from "../terminal/path.ts";

/** Maximum files of an archive. No audit package has more. */
export const FILES_MAX = 50_000;
const GIB = 1024 ** 3;
/** Maximum unpacked bytes of one file: more than the table of ten thousand consents. */
const ENTRY_BYTES_MAX = GIB;
/** Maximum unpacked bytes of all files of an archive. */
const ARCHIVE_BYTES_MAX = 8 * GIB;
/** Unpacked bytes below which the compression ratio is not limited. */
const FREE_BYTES = 64 * 1024 * 1024;
/** Maximum compression ratio. Audit packages have 3 to 20, decompression bombs up to 1,000. */
const RATIO_MAX = 100;
/** The first bytes of a ZIP archive: a local file header, or the end record of an empty archive. */
const zipStarts = new Set(["PK\u0003\u0004", "PK\u0005\u0006"]);

/** The files of a ZIP archive or a folder, by their paths with slashes. */
export interface Archive extends Disposable {
  names: readonly string[];
  /** @throws CommandError when the file is damaged */
  stream: (name: string) => AsyncIterable<Uint8Array>;
}

/** Whether a path is a folder or a ZIP archive; false for a missing path. */
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
 * @throws CommandError for an archive that cannot be read, contains a file twice, has more than 50,000 files,
 *   unpacks to more than 1 GiB for one file or 8 GiB in total, or, beyond 64 MiB, to more than 100 times its size
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
      if (entries.has(entry.fileName)) throw new Error(`it contains ${entry.fileName} twice.`);
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
        // The stream fails beyond the entry's declared size, which is limited above.
        yield* withCrc(await zip.openReadStreamPromise(entry), entry);
      } catch (error) {
        throw damaged(error);
      }
    },
    [Symbol.dispose]: () => zip.close(),
  };
}

/** The blocks of an entry. @throws Error after the last block when the CRC-32 does not match */
async function* withCrc(
  blocks: AsyncIterable<unknown>,
  entry: Entry,
): AsyncGenerator<Uint8Array, void> {
  let found = 0;
  for await (const block of blocks as AsyncIterable<Uint8Array>) {
    found = crc32(block, found);
    yield block;
  }
  if (found !== entry.crc32) throw new Error(`the CRC-32 of ${entry.fileName} does not match.`);
}

/** Checks the declared sizes before anything is unpacked. */
function assertBytes(
  file: string,
  { packed, bytes, entry }: { packed: number; bytes: number; entry: Entry },
): void {
  const reject = (why: string): never => {
    throw new CommandError(`${file} was not unpacked: ${why}`);
  };
  if (entry.uncompressedSize > ENTRY_BYTES_MAX)
    reject(`${entry.fileName} has more than ${ENTRY_BYTES_MAX / GIB} GiB.`);
  if (bytes > ARCHIVE_BYTES_MAX)
    reject(`it unpacks to more than ${ARCHIVE_BYTES_MAX / GIB} GiB in total.`);
  if (bytes > FREE_BYTES && bytes > packed * RATIO_MAX)
    reject(`it unpacks to more than ${RATIO_MAX} times its size, which no audit package does.`);
}

function assertCount(count: number, file: string): void {
  if (count > FILES_MAX) throw new CommandError(`${file} has more than ${FILES_MAX} files.`);
}
