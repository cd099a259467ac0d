import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import type { Sharp } from "sharp";
import { detectType } from "../formats/detect.ts";
import { sanitizeSvg } from "../svg/sanitize.ts";
import { dominantColorOf } from "./color.ts";
import { openPicture } from "./picture.ts";
import { type AssetType, type Inspected, RefusedError, assertPixels } from "../formats/tasks.ts";

/** Wide and high: enough to tell what colour a picture is. */
const SAMPLE_SIDE = 32;

/**
 * What an uploaded file is, by its content; a picture is decoded to its end. An SVG is sanitised and
 * written to `out`.
 * @throws RefusedError for what is not taken
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

/** Of one page, as it is looked at. */
async function readSize(path: string, type: AssetType) {
  const picture = openPicture(path, { type, isAnimated: true, isUnbounded: true });
  const told = await picture.metadata().catch((error: unknown) => {
    throw toRefused(error, type);
  });
  const { pages = 1, pageHeight } = told;
  const { width, height } = told.autoOrient;
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

/** Whatever the library says of a file that it cannot read, it is the file's fault. */
function toRefused(error: unknown, type: AssetType): unknown {
  if (!(error instanceof Error)) return error;
  return new RefusedError(
    "impossible",
    type === "image/svg+xml"
      ? "The SVG cannot be drawn: it has no size, or there is nothing in it."
      : "The picture is damaged or cut off: it cannot be read.",
  );
}
