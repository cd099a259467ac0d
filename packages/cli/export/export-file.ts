import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, readFile, rm, writeFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import type { Client } from "@avow/client";
import { Problem } from "@avow/client/problem";
import { CommandError, UsageError, codeOf } from "../terminal/errors.ts";
import type { ExportRequest, Manifest } from "./export-part.ts";

/** The content of a file before the part that is being written. */
interface Position {
  /** The number of bytes; `sha256` is of these, and `count` their records. */
  bytes: number;
  sha256?: string;
  count: number;
  first?: string | null;
  /** The log when the first part began. The parts together are complete for it. */
  log?: Manifest["log"];
  /** The last of these records. */
  after?: string;
  /** The ids of the exports that these records come from. */
  parts: string[];
}

/** The content of the `.export.json` file beside an incomplete file. */
interface Notes extends Position {
  /** The request; named as in the files of earlier versions. */
  asked: ExportRequest;
  /** The link to the manifest of the part that is being written. */
  manifest?: string;
}

/** The manifest of a file; `parts` are the ids of its exports if there are several. */
type Whole = Manifest & { parts?: string[] };

/** The output file of an export, which can be resumed after an interruption. */
export interface ExportFile extends AsyncDisposable {
  path: string;
  isNew: boolean;
  /** The number of records of the complete parts. */
  readonly count: number;
  /**
   * Truncates the file to the last position from which it can be resumed; returns the last record before it. The
   * SHA-256 of the remaining bytes is checked.
   */
  cut: (client: Client, signal: AbortSignal) => Promise<string | undefined>;
  begin: (manifest: string) => Promise<void>;
  write: (bytes: Uint8Array) => Promise<void>;
  /**
   * Completes the file with the part of `manifest`. The last line of NDJSON becomes the manifest of the whole file,
   * which is returned. The notes are removed.
   */
  finish: (manifest: Manifest) => Promise<Manifest>;
  /** After a failure: removes an empty file and its notes; returns whether it did. */
  removeEmpty: () => Promise<boolean>;
}

/**
 * Opens the output file of an export. An existing file is resumed if `isResumed`, and rejected otherwise.
 * @throws UsageError
 */
export async function openExportFile(
  path: string,
  { request, isResumed }: { request: ExportRequest; isResumed: boolean },
): Promise<ExportFile> {
  const notesPath = `${path}.export.json`;
  const found = isResumed ? await readNotes(notesPath) : undefined;
  if (found && !isDeepStrictEqual(found.asked, request))
    throw new UsageError(
      `${path} was exported with other options. Use the same options to resume.`,
    );
  const file = await openFile(path, found !== undefined);
  let notes: Notes = found ?? { asked: request, bytes: 0, count: 0, parts: [] };
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
      const position = await findPosition(path, { notes, size, client, signal });
      notes = { asked: request, ...position };
      await file.truncate(position.bytes);
      size = position.bytes;
      await keep();
      return position.after;
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
      if (request.format === "ndjson" && notes.bytes > 0) {
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
      throw new UsageError(`${path} already exists. Remove it, or name another file.`);
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

/** The end of the last stretch that the file contains completely. */
async function findPosition(path: string, { notes, size, client, signal }: Cut): Promise<Position> {
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

/** @throws CommandError when the bytes of earlier parts have changed */
async function assertUnchanged(path: string, { bytes, sha256 }: Position): Promise<void> {
  if (bytes === 0 || (await hashOf(path, 0, bytes)) === sha256) return;
  throw new CommandError(
    `${path} was changed after the interruption. Remove it and ${path}.export.json, and export again.`,
  );
}

/** The manifest of a file of several parts, in the form of its last part's manifest. */
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
  const { after: _after, ...rest } = (JSON.parse(line) as { manifest: Record<string, unknown> })
    .manifest;
  const { first, last, count, bytes, sha256, log, parts } = whole;
  return `${JSON.stringify({ manifest: { ...rest, first, last, count, bytes, sha256, log, parts } })}\n`;
}

/** Undefined for a manifest that has expired: its part is written again. */
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
