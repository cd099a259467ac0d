import { assertEnd, broken, nameAt } from "./reader.ts";

const NAME = "WebP";
const first = new Set(["VP8 ", "VP8L", "VP8X"]);

/** Walks the chunks of a WebP to the end of its RIFF container, which must be the end of the file (RFC 9649, 2.3 to 2.7). */
export function checkWebp(bytes: Buffer): void {
  const end = bytes.readUInt32LE(4) + 8;
  assertEnd(bytes, end, NAME);
  if (!first.has(nameAt(bytes, 12))) throw broken(NAME);
  for (let at = 12; at !== end;) {
    if (at + 8 > end) throw broken(NAME);
    const length = bytes.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
}
