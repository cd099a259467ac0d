/** Minimum contrast of large text and graphics, of text, and of level AAA (WCAG 2.2, 1.4.3, 1.4.6, 1.4.11). */
const LARGE_MIN = 3;
const TEXT_MIN = 4.5;
const BEST_MIN = 7;

export type ContrastLevel = "AAA" | "AA" | "large" | "fails";

/** Converts a CSS color to `#rrggbb`; undefined if it is invalid. */
export function toHex(color: string): string | undefined {
  if (!CSS.supports("color", color)) return undefined;
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  if (!context) return undefined;
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return `#${[red, green, blue].map((one) => one.toString(16).padStart(2, "0")).join("")}`;
}

/** The contrast ratio of two colors `#rrggbb`, from 1 to 21 (WCAG 2.2). */
export function toContrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [toLuminance(one), toLuminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The conformance level of a contrast ratio. */
export function toContrastLevel(contrast: number): ContrastLevel {
  if (contrast >= BEST_MIN) return "AAA";
  if (contrast >= TEXT_MIN) return "AA";
  return contrast >= LARGE_MIN ? "large" : "fails";
}

/** Black or white, whichever has more contrast with a color. */
export function toReadable(color: string): string {
  return toContrast("#ffffff", color) > toContrast("#000000", color) ? "#ffffff" : "#000000";
}

/** Relative luminance (WCAG 2.2). */
function toLuminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
