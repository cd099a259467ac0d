import type { Appearance } from "../record/result.ts";

/** Minimum contrast of text, and of graphics (WCAG 2.2, 1.4.3 and 1.4.11). */
const TEXT_MIN = 4.5;
const GRAPHICS_MIN = 3;
/** Below this difference of channels a color is a grey, which says nothing about a site. */
const CHROMA_MIN = 40;
const colorPattern = /^rgba?\((\d{1,3}), (\d{1,3}), (\d{1,3})(?:, (?:1|0?\.(?:9\d*|8\d*)))?\)$/;

type Rgb = readonly [red: number, green: number, blue: number];

/**
 * The colors of a site that a banner can use, as `#rrggbb`, from computed styles. A color is null where it is no plain
 * color, or where it is not readable: text against the background, an accent against it.
 */
export function toMeasuredColors({
  background,
  text,
  accents,
}: Record<string, unknown>): Appearance["colors"] {
  const ground = toRgb(background) ?? [255, 255, 255];
  const ink = toRgb(text);
  const accent = (Array.isArray(accents) ? accents.slice(0, 10) : [])
    .map(toRgb)
    .filter((one) => one !== undefined)
    .find((one) => toChroma(one) >= CHROMA_MIN && toContrast(one, ground) >= GRAPHICS_MIN);
  return {
    background: toHex(ground),
    text: ink && toContrast(ink, ground) >= TEXT_MIN ? toHex(ink) : null,
    accent: accent ? toHex(accent) : null,
  };
}

function toRgb(color: unknown): Rgb | undefined {
  const parts = typeof color === "string" ? colorPattern.exec(color) : null;
  if (!parts) return undefined;
  const [red = 0, green = 0, blue = 0] = parts.slice(1, 4).map(Number);
  return Math.max(red, green, blue) <= 255 ? [red, green, blue] : undefined;
}

function toHex(color: Rgb): string {
  return `#${color.map((one) => one.toString(16).padStart(2, "0")).join("")}`;
}

function toChroma(color: Rgb): number {
  return Math.max(...color) - Math.min(...color);
}

function toContrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [toLuminance(one), toLuminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Relative luminance (WCAG 2.2). */
function toLuminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((one) => {
    const part = one / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
