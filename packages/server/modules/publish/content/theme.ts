import { type Color, formatHex, formatHex8, parse, wcagContrast } from "culori";
import type { PublishedClient, WidgetContent } from "@avow/contract/published";

/** What the widget wears by itself on a light ground; `dark` is its ink on a dark one. */
export const ownColors = { background: "#fff", text: "#1d1d1f", dark: "#f3f3f5" };
/** The least contrast of text, and of titles, which are large, or of what is no text (WCAG 2.2, 1.4.3 and 1.4.11). */
export const TEXT_MIN = 4.5;
export const LARGE_MIN = 3;
const PADDING_PX_MAX = 48;
const RADIUS_PX_MAX = 40;
const PX_PER_EM = 16;

const schemePattern = /^(light|dark)$/;
const lengthPattern = /^(\d{1,3}(?:\.\d{1,3})?)(px|rem|em)?$/;
const fontPattern = /^[\p{L}\p{N}\s"',._-]{1,300}$/u;

/**
 * A project's design as the widget wears it. A value that is no colour, font or length is left out, and so
 * is one that nobody could read or use: text without the contrast of WCAG 2.2 to its ground, a padding
 * that leaves no room for words. Colours are opaque. Dark grounds are the widget's own: colours that were
 * chosen for a light one would be lost on them.
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
  const isRead = (color: string, least: number): boolean => wcagContrast(color, ground) >= least;
  const veil = toColor(overlayStyle?.["background"]);
  return withoutAbsent({
    scheme: matching(schemePattern, widgetStyle?.colorScheme),
    main,
    on: main && toReadable(main),
    title: matching(fontPattern, fonts?.["title"]),
    text: matching(fontPattern, fonts?.["text"]),
    r: toLength(widgetStyle?.borderRadius, RADIUS_PX_MAX),
    p: toLength(widgetStyle?.padding, PADDING_PX_MAX),
    ground: veil && formatHex8(veil),
    "light-bg": background,
    "light-ink": text.find((color) => color !== undefined && isRead(color, TEXT_MIN)),
    head: title && isRead(title, LARGE_MIN) ? `light-dark(${title}, ${ownColors.dark})` : undefined,
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

/** A length up to `most` pixels; a number is one in pixels. */
function toLength(value: unknown, most: number): string | undefined {
  const [, digits = "", unit = "px"] = lengthPattern.exec(String(value)) ?? [];
  if (digits === "" || Number(digits) * (unit === "px" ? 1 : PX_PER_EM) > most) return undefined;
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
