import sharp, { type Sharp } from "sharp";
import { type AssetType, PIXELS_MAX } from "../formats/tasks.ts";

/** Of what the library can read, what may be uploaded; everything else is off. */
const loaders = ["Jpeg", "Png", "Webp", "Nsgif", "Heif", "Svg"];
/** Formats whose further pages are an animation. */
const animated = new Set<AssetType>(["image/gif", "image/webp"]);

/** Makes the library fit for other people's files: to be called once, before anything is opened. */
export function restrictLibrary(): void {
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: loaders.map((name) => `VipsForeignLoad${name}File`) });
  sharp.cache(false);
  sharp.concurrency(1);
}

interface Opening {
  type: AssetType;
  isAnimated: boolean;
  /** Whether anything odd is an error. So is what a JPEG lacks in its middle, whose end is there. */
  isStrict?: boolean;
  /** Only what is told of a picture is read, before it is known how large it is. */
  isUnbounded?: boolean;
  /** Of a vector picture: dots per inch, 72 for its own size. */
  density?: number;
}

/** Opens a picture to be read once from its beginning to its end. */
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
