import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Sharp } from "sharp";
import { openPicture } from "./picture.ts";
import type { AssetType, RenderSpec, Rendered, Task } from "../formats/tasks.ts";

const DENSITY = 72;
const DENSITY_MAX = 7_200;
/** Effort 3 took 181 seconds for one picture. */
const AVIF_EFFORT = 2;
const WEBP_EFFORT = { plain: 4, compressed: 6 };
const TRANSPARENT = "#00000000";

/**
 * Renders a picture to `out`: in its orientation, in sRGB, and without metadata (location, camera, owner), which the
 * library omits by default.
 */
export async function renderFile(task: Extract<Task, { kind: "render" }>): Promise<Rendered> {
  const { path, out, type, spec } = task;
  const density = type === "image/svg+xml" ? await toDensity(path, spec) : undefined;
  const picture = openPicture(path, {
    type,
    isAnimated: spec.isAnimated,
    ...(density === undefined ? {} : { density }),
  });
  const shaped = shape(picture.autoOrient(), spec).toColourspace("srgb");
  const { size, width, height, pageHeight } = await encode(shaped, spec).toFile(out);
  return { size, sha256: await hashFile(out), width, height: pageHeight ?? height };
}

/** The density at which a vector picture has the requested size, so that it is not scaled up. */
async function toDensity(path: string, { width, height }: RenderSpec): Promise<number> {
  const type: AssetType = "image/svg+xml";
  const metadata = await openPicture(path, { type, isAnimated: false }).metadata();
  const scale = Math.max(width / metadata.width, height / metadata.height);
  return Math.min(DENSITY_MAX, Math.max(1, DENSITY * scale));
}

function shape(picture: Sharp, { width, height, how, keep, background }: RenderSpec): Sharp {
  if (how === "border") {
    const bordered = picture.resize(width, height, {
      fit: "contain",
      background: background ?? TRANSPARENT,
    });
    return background?.endsWith("ff") ? bordered.flatten({ background }) : bordered;
  }
  const resized =
    how === "cut"
      ? picture.resize(width, height, { fit: "cover", position: keep ?? "centre" })
      : picture.resize(width, height, { fit: "fill" });
  return background === undefined ? resized : resized.flatten({ background });
}

function encode(picture: Sharp, { format, quality = 75, isCompressed }: RenderSpec): Sharp {
  if (format === "avif") return picture.avif({ quality, effort: AVIF_EFFORT });
  if (format === "webp") {
    const effort = isCompressed ? WEBP_EFFORT.compressed : WEBP_EFFORT.plain;
    return picture.webp({ quality, effort });
  }
  if (format === "jpg") return picture.jpeg({ quality, mozjpeg: isCompressed, progressive: true });
  return picture.png({ compressionLevel: isCompressed ? 9 : 6 });
}

async function hashFile(path: string): Promise<string> {
  const digest = createHash("sha256");
  await pipeline(createReadStream(path), digest);
  return digest.digest("hex");
}
