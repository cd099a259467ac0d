import { type Color, formatHex, formatHex8, parse, wcagContrast } from "culori";
import type { PublishedClient, WidgetContent } from "@avow/contract/published";

/** The widget's default colours on a light background; `dark` is its text colour on a dark one. */
export const ownColors = { background: "#fff", text: "#1d1d1f", dark: "#f3f3f5" };
/** Minimum contrast of text, and of large text and graphics (WCAG 2.2, 1.4.3 and 1.4.11). */
export const TEXT_MIN = 4.5;
export const LARGE_MIN = 3;
const PADDING_PX_MAX = 48;
const RADIUS_PX_MAX = 40;
const PX_PER_EM = 16;

const schemePattern = /^(light|dark)$/;
const lengthPattern = /^(\d{1,3}(?:\.\d{1,3})?)(px|rem|em)?$/;
const fontPattern = /^[\p{L}\p{N}\s"',._-]{1,300}$/u;

/**
 * A project's design as the widget applies it. Invalid colours, fonts and lengths are left out, and so are
 * values that make the widget unusable: text below the contrast of WCAG 2.2, and too large paddings. Colours
 * are opaque. In the dark scheme the widget uses its own colours, since those chosen for a light background
 * could be unreadable.
 */
export function toTheme({
  colors,
  fonts,
  widgetStyle,
  overlayStyle,
}: Partial<PublishedClient>): WidgetContent["theme"] {
  const main = toHex(colors?.["main"]);
  const background = toHex(colors?.["background"]);
  const ground = background ?? ownColors.background;
  const text = [
    toHex(colors?.["text"]),
    ...(background ? [ownColors.text, toReadable(ground)] : []),
  ];
  const title = toHex(colors?.["title"]);
  const isReadable = (color: string, min: number): boolean => wcagContrast(color, ground) >= min;
  const overlay = toColor(overlayStyle?.["background"]);
  return withoutAbsent({
    scheme: matching(schemePattern, widgetStyle?.colorScheme),
    main,
    on: main && toReadable(main),
    title: matching(fontPattern, fonts?.["title"]),
    text: matching(fontPattern, fonts?.["text"]),
    r: toLength(widgetStyle?.borderRadius, RADIUS_PX_MAX),
    p: toLength(widgetStyle?.padding, PADDING_PX_MAX),
    ground: overlay && formatHex8(overlay),
    "light-bg": background,
    "light-ink": text.find((color) => color !== undefined && isReadable(color, TEXT_MIN)),
    head:
      title && isReadable(title, LARGE_MIN) ? `light-dark(${title}, ${ownColors.dark})` : undefined,
  });
}

/** Black or white, whichever reads better on a colour (WCAG 2.2, 1.4.3). */
function toReadable(color: string): string {
  return wcagContrast("#fff", color) > wcagContrast("#000", color) ? "#fff" : "#000";
}

/** A colour in any notation of CSS Color 4; undefined for anything else. */
function toColor(value: unknown): Color | undefined {
  return typeof value === "string" ? parse(value.trim()) : undefined;
}

function toHex(value: unknown): string | undefined {
  return formatHex(toColor(value));
}

/** A length up to `maxPx` pixels; a number without unit is in pixels. */
function toLength(value: unknown, maxPx: number): string | undefined {
  const [, digits = "", unit = "px"] = lengthPattern.exec(String(value)) ?? [];
  if (digits === "" || Number(digits) * (unit === "px" ? 1 : PX_PER_EM) > maxPx) return undefined;
  return digits + unit;
}

function matching(pattern: RegExp, value: unknown): string | undefined {
  return typeof value === "string" && pattern.test(value) ? value : undefined;
}

function withoutAbsent(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
