import { type AssetType, type RenderFormat, renderTypes } from "../formats/tasks.ts";

/** Maximum pixels of an automatic AVIF; a larger one takes seconds to encode. */
const AVIF_PIXELS_MAX = 4_000_000;

/** Formats of renders without a requested format; others are PNG or WebP. */
const ownFormats: Partial<Record<AssetType, RenderFormat>> = {
  "image/avif": "avif",
  "image/webp": "webp",
  "image/jpeg": "jpg",
};

interface Wishes {
  fm: "auto" | RenderFormat | undefined;
  /** Whether the smallest accepted format is requested. */
  isAuto: boolean;
  accepted: ReadonlySet<string>;
  canMove: boolean;
  width: number;
  height: number;
}

/**
 * The format of a render: the requested one; else, if automatic, the smallest that `Accept` names; else the source's own.
 * Animations are WebP, the only format that supports them.
 */
export function formatOf(source: { type: AssetType }, wishes: Wishes): RenderFormat {
  const { fm, isAuto, accepted, canMove, width, height } = wishes;
  if (fm !== undefined && fm !== "auto") return fm;
  const own = ownFormats[source.type] ?? (canMove ? "webp" : "png");
  if (!isAuto) return own;
  const isSmall = width * height <= AVIF_PIXELS_MAX;
  if (accepted.has(renderTypes.avif) && isSmall && !canMove) return "avif";
  if (accepted.has(renderTypes.webp)) return "webp";
  return source.type === "image/jpeg" ? "jpg" : "png";
}
