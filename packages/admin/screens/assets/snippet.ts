import type { AssetMetadata } from "@avow/client/operations";
import { type RenderOptions, toPublicHref } from "../../data/assets.ts";

/** Device pixels per CSS pixel. */
const DENSITIES = [1, 2, 3];
/** Shares of an image's width, for images as wide as their column. */
const PARTS = [0.25, 0.5, 1];
/** Maximum width and height of a render. */
const SIDE_MAX = 4_096;

type Picture = Pick<AssetMetadata, "url" | "originalName" | "width" | "height">;

/**
 * An image for a page in several sizes (HTML, `srcset`): one for each density of screens where the render has a
 * size, else one for each of some widths.
 */
export function toSnippet(asset: Picture, asked: RenderOptions): string {
  const { dpr: _, ...plain } = asked;
  const hasSize = plain.w !== undefined || plain.h !== undefined;
  const sources = hasSize ? toDense(asset, plain) : toWide(asset, plain);
  const size = hasSize ? toSize(asset, plain) : undefined;
  const lines = [
    `src="${escape(toPublicHref(asset, plain))}"`,
    sources.length > 1 && `srcset="${sources.map(escape).join(",\n")}"`,
    !hasSize && sources.length > 1 && 'sizes="100vw"',
    size?.width !== undefined && `width="${size.width}"`,
    size?.height !== undefined && `height="${size.height}"`,
    'alt=""',
  ].filter((line) => line !== false);
  return `<img ${lines.join("\n")} />`;
}

function toDense(asset: Picture, asked: RenderOptions): string[] {
  const largest = Math.max(asked.w ?? 0, asked.h ?? 0);
  return DENSITIES.filter((dpr) => largest * dpr <= SIDE_MAX).map((dpr) => {
    const href = toPublicHref(asset, dpr === 1 ? asked : { ...asked, dpr });
    return `${href} ${dpr}x`;
  });
}

function toWide(asset: Picture, asked: RenderOptions): string[] {
  const { width } = asset;
  if (width === undefined) return [];
  const widths = PARTS.map((part) => Math.min(SIDE_MAX, Math.round(width * part)));
  return [...new Set(widths)]
    .filter((w) => w > 0)
    .map((w) => `${toPublicHref(asset, { ...asked, w })} ${w}w`);
}

/** The size in the page, if known, so that the layout does not shift when the image loads. */
function toSize({ width, height }: Picture, { w, h, fit = "clip" }: RenderOptions) {
  if (width === undefined || height === undefined) return { width: w, height: h };
  const isWhole = w !== undefined && h !== undefined && ["crop", "fill", "scale"].includes(fit);
  if (isWhole) return { width: w, height: h };
  const fits = Math.min((w ?? Infinity) / width, (h ?? Infinity) / height);
  const scale = fit === "max" ? Math.min(1, fits) : fits;
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}
