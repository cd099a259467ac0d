import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, readFile, rm, writeFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import type { Client } from "@avow/client";
import { Problem } from "@avow/client/problem";
import { CommandError, UsageError, codeOf } from "../terminal/errors.ts";
import type { Asked, Manifest } from "./export-part.ts";

/** What a file has before the part that is being written. */
interface Place {
  /** Its bytes, their SHA-256, and their records. */
  bytes: number;
  sha256?: string;
  count: number;
  first?: string | null;
  /** The log when the first part began: what was in it then is in the parts together. */
  log?: Manifest["log"];
  /** The last of these records. */
  after?: string;
  /** The exports that these records are from. */
  parts: string[];
}

/** What is kept beside a file while it is not whole. */
interface Notes extends Place {
  asked: Asked;
  /** The link to the manifest of the part that is being written. */
  manifest?: string;
}

/** The manifest of a file; `parts` are the exports of one that has several. */
type Whole = Manifest & { parts?: string[] };

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
  /**
   * The file is whole with the part of `manifest`: the last line of NDJSON becomes the manifest of the
   * whole file, which is answered, and the notes beside it are removed.
   */
  finish: (manifest: Manifest) => Promise<Manifest>;
  /** After a failure: removes a file that nothing was written to, and its notes; tells whether it did. */
  removeEmpty: () => Promise<boolean>;
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
  let notes: Notes = found ?? { asked, bytes: 0, count: 0, parts: [] };
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
    async finish(manifest) {
      const whole = await toWhole(path, notes, manifest);
      if (asked.format === "ndjson" && notes.bytes > 0) {
        const end = whole.bytes;
        const line = Buffer.alloc(size - end);
        await file.read(line, 0, line.length, end);
        await file.truncate(end);
        await file.write(toWholeLine(line.toString(), whole), end);
      }
      await file.sync();
      await rm(notesPath, { force: true });
      return whole;
    },
    async removeEmpty() {
      if (size > 0) return false;
      for (const each of [path, notesPath]) await rm(each, { force: true });
      return true;
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}

async function openFile(path: string, isThere: boolean): Promise<FileHandle> {
  try {
    return await open(path, isThere ? "r+" : "wx+", 0o600);
  } catch (error) {
    if (codeOf(error) === "EEXIST")
      throw new UsageError(`${path} is there already. Remove it, or name another file.`);
    throw new CommandError(`${path} cannot be written.`, { cause: error });
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
async function findPlace(path: string, { notes, size, client, signal }: Cut): Promise<Place> {
  const { asked: _asked, manifest: link, ...before } = notes;
  const { bytes, count, parts } = before;
  await assertUnchanged(path, before);
  if (link === undefined) return before;
  const manifest = await readManifest(client, link, signal);
  const stretch = manifest?.stretches.findLast((one) => bytes + one.bytes <= size);
  if (!manifest || !stretch) return before;
  const end = bytes + stretch.bytes;
  if ((await hashOf(path, bytes, end)) !== stretch.sha256) return before;
  return {
    bytes: end,
    sha256: await hashOf(path, 0, end),
    count: count + stretch.count,
    first: before.first ?? manifest.first,
    log: parts.length > 0 ? before.log : manifest.log,
    after: stretch.last,
    parts: [...parts, manifest.id],
  };
}

/** Throws `CommandError` when what a file has of earlier parts is not what was written. */
async function assertUnchanged(path: string, { bytes, sha256 }: Place): Promise<void> {
  if (bytes === 0 || (await hashOf(path, 0, bytes)) === sha256) return;
  throw new CommandError(
    `${path} was changed after it was cut: remove it and ${path}.export.json, and export again.`,
  );
}

/** What a file of several parts is, as the manifest of its last part would tell it. */
async function toWhole(path: string, notes: Notes, manifest: Manifest): Promise<Whole> {
  if (notes.bytes === 0) return manifest;
  await assertUnchanged(path, notes);
  const bytes = notes.bytes + manifest.bytes;
  return {
    ...manifest,
    first: notes.first ?? null,
    last: manifest.last ?? notes.after ?? null,
    count: notes.count + manifest.count,
    bytes,
    sha256: await hashOf(path, 0, bytes),
    log: notes.log,
    stretches: [],
    parts: [...notes.parts, manifest.id],
  };
}

/** The last line of NDJSON for a file of several parts, made from that of its last part. */
function toWholeLine(line: string, whole: Whole): string {
  const { after: _after, ...told } = (JSON.parse(line) as { manifest: Record<string, unknown> })
    .manifest;
  const { first, last, count, bytes, sha256, log, parts } = whole;
  return `${JSON.stringify({ manifest: { ...told, first, last, count, bytes, sha256, log, parts } })}\n`;
}

/** Manifests are forgotten after a while: then the part is written again. */
async function readManifest(
  client: Client,
  link: string,
  signal: AbortSignal,
): Promise<Manifest | undefined> {
  try {
    return await client.send(client.toLinked<Manifest>(link), undefined, { signal });
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined;
    throw error;
  }
}

async function hashOf(path: string, start: number, end: number): Promise<string> {
  const digest = createHash("sha256");
  if (start === end) return digest.digest("hex");
  for await (const block of createReadStream(path, {
    start,
    end: end - 1,
  }) as AsyncIterable<Buffer>)
    digest.update(block);
  return digest.digest("hex");
}
