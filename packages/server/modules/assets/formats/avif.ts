import { RefusedError } from "./tasks.ts";
import { broken, nameAt } from "./reader.ts";

const NAME = "AVIF";
const brands = new Set(["avif", "avis"]);
/** Allowed top-level boxes; any other could be another file. */
const boxes = new Set(["ftyp", "meta", "moov", "mdat", "free"]);
const BRANDS_MAX = 32;

/** Whether a container (ISO/IEC 14496-12) has an AVIF brand. */
export function isAvif(bytes: Buffer): boolean {
  if (nameAt(bytes, 4) !== "ftyp") return false;
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 16 + 4 * BRANDS_MAX);
  const named = [nameAt(bytes, 8)];
  for (let at = 16; at + 4 <= end; at += 4) named.push(nameAt(bytes, at));
  return named.some((brand) => brands.has(brand));
}

/** Walks the boxes of an AVIF, which must end at the end of the file. */
export function checkAvif(bytes: Buffer): void {
  for (let at = 0; at !== bytes.length;) {
    if (at + 8 > bytes.length) throw broken(NAME);
    const name = nameAt(bytes, at + 4);
    if (!boxes.has(name))
      throw new RefusedError(
        "unsupported-type",
        "The AVIF contains data that is not a picture. Save the picture again.",
      );
    const length = bytes.readUInt32BE(at);
    if (length < 8 || at + length > bytes.length) throw broken(NAME);
    at += length;
  }
}
