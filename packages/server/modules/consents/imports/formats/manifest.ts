import { isObject } from "@avow/contract/json";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";

const MANIFEST_BYTES_MAX = 64 * 1024;
const LINE_FEED = 0x0a;

/** The last line of our export, which describes the lines before it. */
interface Manifest {
  count: number;
  sha256: string;
  /** Length of those lines; undefined means all before the manifest. */
  bytes: number | undefined;
  /** Whether it continues an earlier export, which may precede it in the file. */
  isPart: boolean;
}

export function isManifest(value: object): boolean {
  return toManifest(value) !== undefined;
}

function toManifest(value: unknown): Manifest | undefined {
  const { manifest } = value as { manifest?: unknown };
  if (!isObject(manifest)) return undefined;
  const { count, sha256, bytes, after } = manifest;
  if (typeof count !== "number" || typeof sha256 !== "string") return undefined;
  return {
    count,
    sha256,
    bytes: typeof bytes === "number" && bytes >= 0 ? Math.floor(bytes) : undefined,
    isPart: typeof after === "string",
  };
}

/**
 * Describes, in a sentence, the error of a file that ends with a manifest, so that a truncated or
 * changed export is rejected before anything is imported. Each of several concatenated exports is
 * checked; lines without a manifest are accepted unchecked, also before the continuation of an export.
 */
export async function findDefect(path: string, size: number): Promise<string | undefined> {
  let mayBegin = true;
  for (let end = size; end > 0;) {
    const last = await readLastLine(path, end);
    const manifest = last && readManifest(last.text);
    if (!manifest)
      return mayBegin
        ? undefined
        : "The file has lines before those that its manifest describes. Export again, or remove the last line to import the file as it is.";
    const { bytes = last.start } = manifest;
    const start = last.start - bytes;
    const found = await readLines(path, { start, end: last.start });
    if (!found || found.count !== manifest.count)
      return `The manifest counts ${manifest.count} lines, and the file has ${found?.count ?? "fewer"}. Export again, or remove the last line to import the file as it is.`;
    if (found.sha256 !== manifest.sha256.toLowerCase())
      return "The lines of the file do not match its manifest. Export again, or remove the last line to import the file as it is.";
    mayBegin = manifest.isPart;
    end = start;
  }
  return undefined;
}

/** Counts the lines of a byte range; undefined when the file does not contain it. */
async function readLines(
  path: string,
  { start, end }: { start: number; end: number },
): Promise<{ count: number; sha256: string } | undefined> {
  if (start < 0) return undefined;
  const digest = createHash("sha256");
  let count = 0;
  const blocks = start === end ? [] : createReadStream(path, { start, end: end - 1 });
  for await (const block of blocks as AsyncIterable<Buffer>) {
    digest.update(block);
    for (let at = block.indexOf(LINE_FEED); at >= 0; at = block.indexOf(LINE_FEED, at + 1))
      count += 1;
  }
  return { count, sha256: digest.digest("hex") };
}

async function readLastLine(path: string, size: number) {
  await using file = await open(path);
  const from = Math.max(0, size - MANIFEST_BYTES_MAX);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
  const tail = buffer.subarray(0, bytesRead);
  const end = tail.at(-1) === LINE_FEED ? tail.length - 1 : tail.length;
  const start = tail.subarray(0, end).lastIndexOf(LINE_FEED) + 1;
  if (start === 0 && from > 0) return undefined;
  return { start: from + start, text: tail.toString("utf8", start, end) };
}

function readManifest(text: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? toManifest(value) : undefined;
  } catch {
    return undefined;
  }
}
