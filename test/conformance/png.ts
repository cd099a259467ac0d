import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const GREYSCALE = 0;

/** A PNG of one grey, with one bit for each pixel. */
export function createPng(width: number, height: number): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, GREYSCALE], 8);
  const rows = Buffer.alloc((1 + Math.ceil(width / 8)) * height);
  const chunks = [
    toChunk("IHDR", header),
    toChunk("IDAT", deflateSync(rows)),
    toChunk("IEND", Buffer.alloc(0)),
  ];
  return new Uint8Array(Buffer.concat([SIGNATURE, ...chunks]));
}

function toChunk(type: string, data: Uint8Array): Uint8Array {
  const content = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(content.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  chunk.set(content, 4);
  chunk.writeUInt32BE(crc32(content), content.length + 4);
  return chunk;
}
