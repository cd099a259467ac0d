import { RefusedError } from "./tasks.ts";
import { assertEnd, broken } from "./reader.ts";

const NAME = "JPEG";
const MARKER = 0xff;
const END = 0xd9;
const SCAN = 0xda;
/** Maximum scans. A progressive JPEG has about ten, and decoding each passes over the whole picture. */
const SCANS_MAX = 100;

/** Walks the segments of a JPEG to its end marker, which must be the end (ISO/IEC 10918-1, annex B). */
export function checkJpeg(bytes: Buffer): void {
  let scans = 0;
  for (let at = 2; ;) {
    if (bytes[at] !== MARKER) throw broken(NAME);
    // Any number of fill bytes may precede a marker.
    while (bytes[at + 1] === MARKER) at += 1;
    const marker = bytes[at + 1];
    if (marker === undefined || marker === 0) throw broken(NAME);
    at += 2;
    if (marker === END) return assertEnd(bytes, at, NAME);
    if (isAlone(marker)) continue;
    if (at + 2 > bytes.length) throw broken(NAME);
    at += bytes.readUInt16BE(at);
    if (marker !== SCAN) continue;
    scans += 1;
    if (scans > SCANS_MAX)
      throw new RefusedError("impossible", `The JPEG has more than ${SCANS_MAX} scans.`);
    at = toScanEnd(bytes, at);
  }
}

/** Markers without a segment: restarts and TEM. */
function isAlone(marker: number): boolean {
  return (marker >= 0xd0 && marker <= 0xd7) || marker === 0x01;
}

/** The position of the next marker that is no restart; in coded data a zero follows each 0xff. */
function toScanEnd(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(MARKER, start); at >= 0; at = bytes.indexOf(MARKER, at + 1)) {
    const next = bytes[at + 1];
    if (next === undefined) break;
    if (next !== 0 && next !== MARKER && !isAlone(next)) return at;
  }
  throw broken(NAME);
}
