import { type AssetType, type RenderFormat, renderTypes } from "../formats/tasks.ts";

/** A larger AVIF takes seconds to make. */
const AVIF_PIXELS_MAX = 4_000_000;

/** What a picture without a wish for a format is answered as. */
const ownFormats: Partial<Record<AssetType, RenderFormat>> = {
  "image/avif": "avif",
  "image/webp": "webp",
  "image/jpeg": "jpg",
};

interface Wishes {
  fm: "auto" | RenderFormat | undefined;
  /** Whether the smallest that is accepted is wanted. */
  isAuto: boolean;
  accepted: ReadonlySet<string>;
  canMove: boolean;
  width: number;
  height: number;
}

/**
 * The format of a render: the one that is named; else, where it may be chosen, the smallest that
 * `Accept` names; else the source's own. What moves is WebP, which alone can.
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
