import { Fault, type FieldFault, assertNoFaults } from "../../../platform/errors.ts";
import type { AssetType, RenderFormat, RenderSpec } from "../formats/tasks.ts";
import { formatOf } from "./render-format.ts";

/** Maximum width and height of a render, in pixels. */
export const SIDE_MAX = 4_096;
/** Maximum pixels of all pages of an animation; above, only the first page is rendered. */
const ANIMATED_PIXELS_MAX = 25_000_000;
const PAGES_MAX = 120;
const WHITE = "#ffffffff";
const qualities: Record<RenderFormat, { plain: number; compressed: number }> = {
  avif: { plain: 50, compressed: 42 },
  webp: { plain: 75, compressed: 62 },
  jpg: { plain: 75, compressed: 65 },
  png: { plain: 100, compressed: 100 },
};
const keeps: Record<string, string> = {
  center: "centre",
  entropy: "entropy",
  edges: "attention",
};

const contentAware = new Set<string | undefined>(["entropy", "attention"]);

/** The query parameters of a render. */
export interface RenderQuery {
  w?: number;
  h?: number;
  fit?: "clip" | "crop" | "fill" | "max" | "scale";
  dpr?: number;
  q?: number;
  fm?: "auto" | RenderFormat;
  auto?: string;
  crop?: string;
  bg?: string;
}

/** The source picture of renders. */
export interface Source {
  type: AssetType;
  width: number;
  height: number;
  pages: number;
}

/** Whether a query has any render parameter. */
export function asksForRender(query: RenderQuery): boolean {
  return Object.values(query).some((value) => value !== undefined);
}

/**
 * Normalizes a query, so that equal pictures have equal parameters; undefined when the source itself is returned, as for a
 * vector picture in any size.
 * @param accepted content types that `Accept` names
 * @throws Fault invalid, with each parameter that exceeds the maximum
 */
export function toSpec(
  source: Source,
  query: RenderQuery,
  accepted: ReadonlySet<string>,
): RenderSpec | undefined {
  const asked = { fm: query.fm, isAuto: query.fm === "auto" || listOf(query.auto).has("format") };
  if (source.type === "image/svg+xml" && (asked.fm ?? "auto") === "auto") return undefined;
  const box = toBox(source, query);
  const isSmall = box.width * box.height <= ANIMATED_PIXELS_MAX / source.pages;
  const canMove = source.pages > 1 && source.pages <= PAGES_MAX && isSmall;
  const format = formatOf(source, { ...asked, accepted, canMove, ...box });
  const isCompressed = listOf(query.auto).has("compress");
  const quality = query.q ?? qualities[format][isCompressed ? "compressed" : "plain"];
  const isAnimated = canMove && format === "webp";
  const background = toColor(query.bg) ?? (format === "jpg" ? WHITE : undefined);
  return {
    format,
    ...box,
    // The library can crop by content only for a single page.
    ...(isAnimated && contentAware.has(box.keep) ? { keep: "centre" } : {}),
    ...(background === undefined ? {} : { background }),
    ...(format === "png" ? {} : { quality }),
    isCompressed,
    isAnimated,
  };
}

type Box = Pick<RenderSpec, "width" | "height" | "how" | "keep">;

function toBox(source: Source, { w, h, fit = "clip", dpr = 1, crop = "center" }: RenderQuery): Box {
  const [wide, high] = [w, h].map((side) => side && Math.max(1, Math.round(side * dpr)));
  assertSides({ w: wide, h: high });
  const natural = { width: source.width, height: source.height };
  const isWhole = wide === undefined || high === undefined;
  if (fit === "scale" && !isWhole) return { width: wide, height: high, how: "stretch" };
  const isSame = !isWhole && isSameShape(natural, { width: wide, height: high });
  if (fit === "crop" && !isWhole && !isSame) {
    const keep = keeps[crop] ?? toCorner(crop);
    return { width: wide, height: high, how: "cut", keep };
  }
  if (fit === "fill" && !isWhole && !isSame) return { width: wide, height: high, how: "border" };
  const scales = [
    wide === undefined ? [] : [wide / natural.width],
    high === undefined ? [] : [high / natural.height],
  ].flat();
  const asked = scales.length === 0 ? 1 : Math.min(...scales);
  const most = SIDE_MAX / Math.max(natural.width, natural.height);
  const scale = Math.min(fit === "max" ? Math.min(asked, 1) : asked, most);
  return {
    width: Math.max(1, Math.round(natural.width * scale)),
    height: Math.max(1, Math.round(natural.height * scale)),
    how: "stretch",
  };
}

/** `left`, `top` or both, in the order of the library. */
function toCorner(crop: string): string {
  const named = crop.split(",");
  return ["left", "right", "top", "bottom"].filter((one) => named.includes(one)).join(" ");
}

function isSameShape(a: Pick<Source, "width" | "height">, b: typeof a): boolean {
  return a.width * b.height === b.width * a.height;
}

function assertSides(sides: Record<"w" | "h", number | undefined>): void {
  const faults = Object.entries(sides).flatMap(([name, side]): FieldFault[] =>
    side !== undefined && side > SIDE_MAX
      ? [
          {
            path: `?${name}`,
            message: `is ${side} pixels with dpr; the maximum is ${SIDE_MAX}`,
          },
        ]
      : [],
  );
  assertNoFaults(faults);
}

function listOf(auto: string | undefined): Set<string> {
  return new Set((auto ?? "").split(","));
}

/** RGB, ARGB, RRGGBB or AARRGGBB as `#rrggbbaa`. */
function toColor(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const long = text.length <= 4 ? text.replaceAll(/./g, "$&$&") : text;
  const [alpha, rgb] = long.length === 8 ? [long.slice(0, 2), long.slice(2)] : ["ff", long];
  return `#${rgb}${alpha}`.toLowerCase();
}

/** The source of renders. @throws Fault impossible for a file that is not a picture */
export function toSource(asset: {
  type: string;
  width: number | null;
  height: number | null;
  pages: number | null;
}): Source {
  const { type, width, height, pages } = asset;
  if (width === null || height === null)
    throw new Fault("impossible", "This file is not a picture and cannot be rendered.");
  return { type: type as AssetType, width, height, pages: pages ?? 1 };
}
