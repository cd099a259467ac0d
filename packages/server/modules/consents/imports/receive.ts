import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { PassThrough, type Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { Fault, codeOf } from "../../../platform/errors.ts";

/** Bytes written between two checks of the disk space. */
const STEP_BYTES = 4 * 1024 * 1024;
/** Maximum compression ratio of larger files; consents with many vendors reach 150. */
const RATIO_MAX = 200;
const UNPACKED_BYTES_MIN = 1024 * 1024;
const NO_ROOM_SECONDS = 60;

export interface Upload {
  size: number;
  sha256: string;
}

/** Limits of an upload. */
export interface Bounds {
  isGzip: boolean;
  /** Limit of the uncompressed size. */
  bytesMax: number;
  readSpareBytes: () => Promise<number>;
  /** Counts received bytes, uncompressed; throws when they exceed a limit. */
  take: (bytes: number) => void;
}

/**
 * Writes an upload to a new file, uncompressed and durably, while the disk has spare bytes. A
 * rejected upload leaves no file, and its connection stays open to carry the response.
 * @throws Fault too-large, invalid (empty, cut off or no gzip), busy (disk nearly full); and the errors of `take`
 */
export async function receiveUpload(path: string, body: Readable, bounds: Bounds): Promise<Upload> {
  try {
    await assertSpare(bounds);
    return await write(path, body, bounds);
  } catch (error) {
    await rm(path, { force: true });
    throw toFault(error);
  } finally {
    // The rest of the body is read and discarded.
    body.resume();
  }
}

async function write(path: string, body: Readable, bounds: Bounds): Promise<Upload> {
  const { isGzip, bytesMax } = bounds;
  const digest = createHash("sha256");
  const gunzip = createGunzip();
  let size = 0;
  let askedAt = STEP_BYTES;
  const count = async function* (blocks: AsyncIterable<Buffer>) {
    for await (const block of blocks) {
      size += block.length;
      if (size > bytesMax)
        throw new Fault(
          "too-large",
          `A file to import may have at most ${bytesMax} bytes, decompressed.`,
        );
      bounds.take(block.length);
      if (isGzip) assertRatio(size, gunzip.bytesWritten);
      if (size > askedAt) {
        await assertSpare(bounds);
        askedAt = size + STEP_BYTES;
      }
      digest.update(block);
      yield block;
    }
  };
  const file = createWriteStream(path, { flags: "wx", mode: 0o600, flush: true });
  try {
    const source = toSource(body);
    if (isGzip) await pipeline(source, gunzip, count, file);
    else await pipeline(source, count, file);
  } finally {
    file.destroy();
    // Removed only after the stream is finished, which could otherwise create it again.
    await finished(file).catch(() => undefined);
  }
  if (size === 0) throw new Fault("invalid", "The file is empty.");
  return { size, sha256: digest.digest("hex") };
}

/** A stream that may be destroyed: destroying the request would close the connection without a response. */
function toSource(body: Readable): Readable {
  if (body.destroyed) throw new Fault("invalid", "The request was cut off.");
  const source = new PassThrough();
  body.once("error", (error) => source.destroy(error));
  return body.pipe(source);
}

async function assertSpare({ readSpareBytes }: Bounds): Promise<void> {
  if ((await readSpareBytes()) >= 0) return;
  const detail =
    "The disk has no space for the file, and nothing of it was stored. Send it again later, or contact the operator of the service.";
  throw new Fault("busy", detail, { retryAfterSeconds: NO_ROOM_SECONDS });
}

function assertRatio(unpacked: number, packed: number): void {
  if (unpacked <= UNPACKED_BYTES_MIN || unpacked <= packed * RATIO_MAX) return;
  const detail = `The file decompresses to more than ${RATIO_MAX} times its size. Send it without gzip.`;
  throw new Fault("too-large", detail);
}

function toFault(error: unknown): unknown {
  const code = codeOf(error);
  if (code.startsWith("Z_")) return new Fault("invalid", "The body is incomplete, or is not gzip.");
  if (code === "ENOSPC" || code === "EDQUOT")
    return new Fault("busy", "The disk has no space for the file.", {
      cause: error,
      retryAfterSeconds: NO_ROOM_SECONDS,
    });
  if (code === "ERR_STREAM_PREMATURE_CLOSE")
    return new Fault("invalid", "The request was cut off.");
  return error;
}
