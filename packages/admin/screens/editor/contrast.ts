import { TEXT_CONTRAST_MIN as TEXT_MIN, toContrast } from "@avow/contract/contrast";

/** Minimum contrast of large text and graphics, and of level AAA (WCAG 2.2, 1.4.6, 1.4.11). */
const LARGE_MIN = 3;
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
