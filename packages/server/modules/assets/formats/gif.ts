import { assertPixels } from "./tasks.ts";
import { assertEnd, broken } from "./reader.ts";

const NAME = "GIF";
const HEADER_BYTES = 13;
const IMAGE = 0x2c;
const EXTENSION = 0x21;
const TRAILER = 0x3b;

/** Walks the blocks of a GIF to its trailer, which must be the end (GIF89a, 17 to 27). */
export function checkGif(bytes: Buffer): void {
  if (bytes.length < HEADER_BYTES) throw broken(NAME);
  const width = bytes.readUInt16LE(6);
  const height = bytes.readUInt16LE(8);
  let at = HEADER_BYTES + toTableBytes(bytes[10]);
  for (let frames = 0; ;) {
    const kind = bytes[at];
    if (kind === TRAILER) return assertEnd(bytes, at + 1, NAME);
    if (kind === EXTENSION) at = skipBlocks(bytes, at + 2);
    else if (kind === IMAGE) {
      frames += 1;
      assertPixels(width, height, frames);
      // The descriptor has nine bytes, followed by one with the minimum code size.
      at = skipBlocks(bytes, at + 10 + toTableBytes(bytes[at + 9]) + 1);
    } else throw broken(NAME);
  }
}

/** Bytes of the colour table that the flags announce. */
function toTableBytes(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** The end of the sub-blocks that begin at `start`; an empty one terminates them. */
function skipBlocks(bytes: Buffer, start: number): number {
  for (let at = start; ;) {
    const length = bytes[at];
    if (length === undefined) throw broken(NAME);
    at += 1 + length;
    if (length === 0) return at;
  }
}
