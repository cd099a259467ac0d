import { inflateSync } from "node:zlib";

const SIGNATURE = 0x774f4646;
const WOFF_HEAD = 44;
const WOFF_ENTRY = 20;
const SFNT_HEAD = 12;
const SFNT_ENTRY = 16;

/**
 * Converts WOFF (version 1) to SFNT. fontkit reads WOFF too, but decompresses a table again for each glyph, which takes
 * a minute for a page of Chinese.
 * @throws Error for other files
 */
export function unwrapWoff(woff: Buffer): Buffer {
  if (woff.readUInt32BE(0) !== SIGNATURE) throw new Error("A font is not a WOFF file.");
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, at) =>
    toTable(woff, WOFF_HEAD + at * WOFF_ENTRY),
  );
  const directory = Buffer.alloc(SFNT_HEAD + count * SFNT_ENTRY);
  const power = Math.floor(Math.log2(count));
  directory.writeUInt32BE(woff.readUInt32BE(4), 0);
  directory.writeUInt16BE(count, 4);
  directory.writeUInt16BE(2 ** power * 16, 6);
  directory.writeUInt16BE(power, 8);
  directory.writeUInt16BE(count * 16 - 2 ** power * 16, 10);
  const parts = [directory];
  let offset = directory.length;
  for (const [at, { tag, checksum, bytes }] of tables.entries()) {
    const entry = SFNT_HEAD + at * SFNT_ENTRY;
    directory.write(tag, entry, "latin1");
    directory.writeUInt32BE(checksum, entry + 4);
    directory.writeUInt32BE(offset, entry + 8);
    directory.writeUInt32BE(bytes.length, entry + 12);
    // Tables begin at multiples of four bytes.
    const padding = Buffer.alloc((4 - (bytes.length % 4)) % 4);
    parts.push(Buffer.from(bytes), padding);
    offset += bytes.length + padding.length;
  }
  return Buffer.concat(parts);
}

function toTable(
  woff: Buffer,
  entry: number,
): { tag: string; checksum: number; bytes: Uint8Array } {
  const offset = woff.readUInt32BE(entry + 4);
  const packed = woff.readUInt32BE(entry + 8);
  const size = woff.readUInt32BE(entry + 12);
  const bytes = woff.subarray(offset, offset + packed);
  return {
    tag: woff.toString("latin1", entry, entry + 4),
    checksum: woff.readUInt32BE(entry + 16),
    bytes: packed < size ? inflateSync(bytes, { maxOutputLength: size }) : bytes,
  };
}
