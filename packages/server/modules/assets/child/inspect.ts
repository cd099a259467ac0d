import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import type { Sharp } from "sharp";
import { detectType } from "../formats/detect.ts";
import { sanitizeSvg } from "../svg/sanitize.ts";
import { dominantColorOf } from "./color.ts";
import { openPicture } from "./picture.ts";
import { type AssetType, type Inspected, RefusedError, assertPixels } from "../formats/tasks.ts";

/** Width and height of the sample for the dominant colour. */
const SAMPLE_SIDE = 32;

/**
 * Inspects an uploaded file by its content; pictures are decoded completely. An SVG is sanitized and written to `out`.
 * @throws RefusedError for a file that is rejected
 */
export async function inspectFile(path: string, out: string): Promise<Inspected> {
  const bytes = await readFile(path);
  const type = await detectType(bytes);
  if (type === "application/pdf") return { ...toFacts(type, bytes), isRewritten: false };
  if (type !== "image/svg+xml")
    return { ...toFacts(type, bytes), isRewritten: false, ...(await look(path, type)) };
  const { text, warnings } = sanitizeSvg(bytes);
  const written = Buffer.from(text);
  await writeFile(out, written, { flag: "wx" });
  const facts = { ...toFacts(type, written), isRewritten: true, warnings };
  return { ...facts, ...(await look(out, type)) };
}

function toFacts(type: AssetType, bytes: Buffer) {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { type, size: bytes.length, sha256, warnings: [] };
}

async function look(path: string, type: AssetType) {
  const { width, height, pages } = await readSize(path, type);
  const { data, info } = await decode(
    openPicture(path, { type, isAnimated: pages > 1, isStrict: true })
      .autoOrient()
      .resize(SAMPLE_SIDE, SAMPLE_SIDE, { fit: "inside" })
      .ensureAlpha()
      .toColourspace("srgb")
      .raw(),
    type,
  );
  const first = info.width * (info.pageHeight ?? info.height) * info.channels;
  const dominantColor = dominantColorOf(data.subarray(0, first));
  return { width, height, pages, ...(dominantColor === undefined ? {} : { dominantColor }) };
}

/** The size of one page, in its orientation, and the number of pages. */
async function readSize(path: string, type: AssetType) {
  const picture = openPicture(path, { type, isAnimated: true, isUnbounded: true });
  const metadata = await picture.metadata().catch((error: unknown) => {
    throw toRefused(error, type);
  });
  const { pages = 1, pageHeight } = metadata;
  const { width, height } = metadata.autoOrient;
  const size = { width, height: pageHeight ?? height, pages };
  assertPixels(size.width, size.height, size.pages);
  return size;
}

async function decode(picture: Sharp, type: AssetType) {
  try {
    return await picture.toBuffer({ resolveWithObject: true });
  } catch (error) {
    throw toRefused(error, type);
  }
}

/** Any error of the library rejects the file. */
function toRefused(error: unknown, type: AssetType): unknown {
  if (!(error instanceof Error)) return error;
  return new RefusedError(
    "impossible",
    type === "image/svg+xml"
      ? "The SVG cannot be drawn: it has no size or no content."
      : "The picture is damaged or truncated.",
  );
}
