import { type AssetType, RefusedError } from "./tasks.ts";
import { checkAvif, isAvif } from "./avif.ts";
import { checkGif } from "./gif.ts";
import { checkJpeg } from "./jpeg.ts";
import { checkPdf } from "./pdf.ts";
import { checkPng } from "./png.ts";
import { nameAt } from "./reader.ts";
import { checkWebp } from "./webp.ts";

interface Format {
  type: AssetType;
  isOf: (bytes: Buffer) => boolean;
  /** @throws RefusedError unless the whole file is of this format */
  check: (bytes: Buffer) => void | Promise<void>;
}

const startsWith =
  (...start: number[]) =>
  (bytes: Buffer): boolean =>
    bytes.subarray(0, start.length).equals(Buffer.from(start));

/** Formats are detected by their first bytes, never by a name or a client's content type. */
const formats: readonly Format[] = [
  {
    type: "image/png",
    isOf: startsWith(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    check: checkPng,
  },
  { type: "image/jpeg", isOf: startsWith(0xff, 0xd8, 0xff), check: checkJpeg },
  {
    type: "image/gif",
    isOf: (bytes) => /^GIF8[79]a$/.test(bytes.toString("latin1", 0, 6)),
    check: checkGif,
  },
  {
    type: "image/webp",
    isOf: (bytes) => nameAt(bytes, 0) === "RIFF" && nameAt(bytes, 8) === "WEBP",
    check: checkWebp,
  },
  { type: "image/avif", isOf: isAvif, check: checkAvif },
  { type: "application/pdf", isOf: startsWith(0x25, 0x50, 0x44, 0x46, 0x2d), check: checkPdf },
];

/** Minimum length of any of these formats. */
const BYTES_MIN = 20;
const UTF8_MARK = "\ufeff";

/**
 * Detects the type of a file by its content, and walks the whole file, so that it cannot be another format at the same time.
 * A file that begins as markup may be an SVG, which its parser decides.
 * @throws RefusedError
 */
export async function detectType(bytes: Buffer): Promise<AssetType> {
  const format = bytes.length < BYTES_MIN ? undefined : formats.find(({ isOf }) => isOf(bytes));
  if (format) {
    await format.check(bytes);
    return format.type;
  }
  const start = bytes.toString("utf8", 0, 64).replace(UTF8_MARK, "").trimStart();
  if (start.startsWith("<")) return "image/svg+xml";
  throw toUnknown();
}

/** The error for a file of any other format. */
export function toUnknown(): RefusedError {
  return new RefusedError(
    "unsupported-type",
    "The content of the file is not PNG, JPEG, GIF, WebP, AVIF, SVG or PDF.",
  );
}
