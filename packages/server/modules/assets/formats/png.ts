import { once } from "node:events";
import { crc32, createInflate } from "node:zlib";
import { RefusedError, assertPixels } from "./tasks.ts";
import { assertEnd, broken, nameAt } from "./reader.ts";

const NAME = "PNG";
const SIGNATURE_BYTES = 8;
/** Length, name and checksum of a chunk. */
const CHUNK_BYTES = 12;
/** Samples of a pixel, by colour type. */
const samplesOf: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** Additional rows of Adam7: each row of its seven passes has a filter byte and is rounded up. */
const INTERLACED_ROWS = 3;

/**
 * Walks the chunks of a PNG from its signature to IEND, which must be the end, and checks that the picture does not unpack
 * to more than its header declares (PNG, third edition, 5 and 11).
 */
export async function checkPng(bytes: Buffer): Promise<void> {
  const data: Buffer[] = [];
  let rawBytes = 0;
  let frames = 1;
  let size = { width: 0, height: 0 };
  for (let at = SIGNATURE_BYTES; ;) {
    if (at + CHUNK_BYTES > bytes.length) throw broken(NAME);
    const length = bytes.readUInt32BE(at);
    const name = nameAt(bytes, at + 4);
    const end = at + CHUNK_BYTES + length;
    if (end > bytes.length) throw broken(NAME);
    const chunk = bytes.subarray(at + 8, end - 4);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) throw broken(NAME);
    if ((at === SIGNATURE_BYTES) !== (name === "IHDR")) throw broken(NAME);
    if (name === "IHDR") {
      if (length !== 13) throw broken(NAME);
      size = { width: chunk.readUInt32BE(0), height: chunk.readUInt32BE(4) };
      assertPixels(size.width, size.height);
      rawBytes = toRawBytes(chunk, size);
    }
    if (name === "acTL" && length === 8) frames = Math.max(1, chunk.readUInt32BE(0));
    if (name === "IDAT") data.push(chunk);
    at = end;
    if (name !== "IEND") continue;
    assertEnd(bytes, end, NAME);
    assertPixels(size.width, size.height, frames);
    return assertUnpacked(data, rawBytes);
  }
}

/** Maximum unpacked bytes of the picture. */
function toRawBytes(header: Buffer, { width, height }: { width: number; height: number }): number {
  const [depth = 0, color = 0, , , interlaced = 0] = header.subarray(8);
  const samples = samplesOf[color];
  if (samples === undefined || width === 0 || height === 0) throw broken(NAME);
  const row = 1 + Math.ceil((width * samples * depth) / 8);
  return interlaced ? row * height + INTERLACED_ROWS * (height + width) + 64 : row * height;
}

async function assertUnpacked(data: readonly Buffer[], bytesMax: number): Promise<void> {
  const inflate = createInflate();
  let count = 0;
  inflate.on("data", (block: Buffer) => {
    count += block.length;
    if (count > bytesMax)
      inflate.destroy(
        new RefusedError("impossible", "The PNG unpacks to more than its header declares."),
      );
  });
  const ended = once(inflate, "end");
  for (const block of data) inflate.write(block);
  inflate.end();
  try {
    await ended;
  } catch (error) {
    throw error instanceof RefusedError ? error : broken(NAME);
  }
}
