import sharp, { type Sharp } from "sharp";
import { type AssetType, PIXELS_MAX } from "../formats/tasks.ts";

/** The library's loaders of formats that may be uploaded; all others are disabled. */
const loaders = ["Jpeg", "Png", "Webp", "Nsgif", "Heif", "Svg"];
/** Formats in which several pages are an animation. */
const animated = new Set<AssetType>(["image/gif", "image/webp"]);

/** Restricts the library for untrusted files. Call it once, before anything is opened. */
export function restrictLibrary(): void {
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: loaders.map((name) => `VipsForeignLoad${name}File`) });
  sharp.cache(false);
  sharp.concurrency(1);
}

interface Opening {
  type: AssetType;
  isAnimated: boolean;
  /** Whether warnings are errors, such as missing data in the middle of a JPEG. */
  isStrict?: boolean;
  /** Whether only metadata is read, so that the size is not limited. */
  isUnbounded?: boolean;
  /** Dots per inch of a vector picture; 72 is its natural size. */
  density?: number;
}

/** Opens a picture for one sequential read. */
export function openPicture(
  path: string,
  { type, isAnimated, isUnbounded, isStrict, density }: Opening,
): Sharp {
  return sharp(path, {
    failOn: isStrict && type === "image/jpeg" ? "warning" : "error",
    sequentialRead: true,
    limitInputPixels: isUnbounded ? false : PIXELS_MAX,
    ...(isAnimated && animated.has(type) ? { pages: -1 } : {}),
    ...(density === undefined ? {} : { density }),
  });
}
