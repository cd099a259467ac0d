import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, readFile, rm, writeFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { type Client } from "./client.ts";
import { CommandError, ProblemError, UsageError } from "./errors.ts";
import type { Asked, Manifest } from "./export-part.ts";

/** What is kept beside a file while it is not whole. */
interface Notes {
  asked: Asked;
  /** The bytes before the part that is being written, and their records. */
  bytes: number;
  count: number;
  /** The last of these records. */
  after?: string;
  /** The path of the manifest of the part that is being written. */
  manifest?: string;
}

/** A file that an export is written to, and gone on with after a cut. */
export interface ExportFile extends AsyncDisposable {
  path: string;
  isNew: boolean;
  /** The records of the parts that are whole. */
  readonly count: number;
  /**
   * Cuts the file to where it can be gone on with; answers after which record. Everything that stays
   * is what the service wrote: its SHA-256 is checked.
   */
  cut: (client: Client, signal: AbortSignal) => Promise<string | undefined>;
  begin: (manifest: string) => Promise<void>;
  write: (bytes: Uint8Array) => Promise<void>;
  /** Removes the notes beside the file: it is whole. */
  finish: () => Promise<void>;
}

/**
 * Opens a file for an export; one that is there is gone on with when `isResumed`, and otherwise
 * left as it is. Throws `UsageError`.
 */
export async function openExportFile(
  path: string,
  { asked, isResumed }: { asked: Asked; isResumed: boolean },
): Promise<ExportFile> {
  const notesPath = `${path}.export.json`;
  const found = isResumed ? await readNotes(notesPath) : undefined;
  if (found && !isDeepStrictEqual(found.asked, asked))
    throw new UsageError(`${path} was exported with other options: give the same again.`);
  const file = await openFile(path, found !== undefined);
  let notes: Notes = found ?? { asked, bytes: 0, count: 0 };
  let size = (await file.stat()).size;
  const keep = () => writeFile(notesPath, JSON.stringify(notes), { mode: 0o600 });
  await keep();
  return {
    path,
    isNew: found === undefined,
    get count() {
      return notes.count;
    },
    async cut(client, signal) {
      const place = await findPlace(path, { notes, size, client, signal });
      notes = { asked, ...place };
      await file.truncate(place.bytes);
      size = place.bytes;
      await keep();
      return place.after;
    },
    async begin(manifest) {
      notes = { ...notes, manifest };
      await keep();
    },
    async write(bytes) {
      await file.write(bytes, 0, bytes.length, size);
      size += bytes.length;
    },
    async finish() {
      await file.sync();
      await rm(notesPath, { force: true });
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}

async function openFile(path: string, isThere: boolean): Promise<FileHandle> {
  try {
    return await open(path, isThere ? "r+" : "wx", 0o600);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "EEXIST")
      throw new UsageError(`${path} is there already. Remove it, or name another file.`);
    throw new CommandError(`${path} cannot be written: ${String(code)}.`, { cause: error });
  }
}

async function readNotes(path: string): Promise<Notes | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as Notes;
  } catch {
    return undefined;
  }
}

interface Cut {
  notes: Notes;
  size: number;
  client: Client;
  signal: AbortSignal;
}

/** The last place of the part that was being written which the file holds whole. */
async function findPlace(path: string, { notes, size, client, signal }: Cut) {
  const { bytes, count, after } = notes;
  const before = { bytes, count, ...(after === undefined ? {} : { after }) };
  if (notes.manifest === undefined || size < bytes) return before;
  const manifest = await readManifest(client, notes.manifest, signal);
  const stretch = manifest?.stretches.findLast((one) => bytes + one.bytes <= size);
  if (!stretch) return before;
  const sha256 = await hashOf(path, bytes, bytes + stretch.bytes);
  if (sha256 !== stretch.sha256) return before;
  return { bytes: bytes + stretch.bytes, count: count + stretch.count, after: stretch.last };
}

/** Manifests are forgotten after a while: then the part is written again. */
async function readManifest(
  client: Client,
  path: string,
  signal: AbortSignal,
): Promise<Manifest | undefined> {
  try {
    return await client.readJson<Manifest>(path, signal);
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return undefined;
    throw error;
  }
}

async function hashOf(path: string, start: number, end: number): Promise<string> {
  const digest = createHash("sha256");
  for await (const block of createReadStream(path, {
    start,
    end: end - 1,
  }) as AsyncIterable<Buffer>)
    digest.update(block);
  return digest.digest("hex");
}
