import type { Page } from "playwright-core";

/** The visible properties of a control. */
export interface Looks {
  style: Record<string, string>;
  /** In CSS pixels. */
  height: number;
  /** The contrast of text and background, by WCAG 2.2. */
  contrast: number;
}

/** Code for the page as text, since this project's tests have no DOM types. */
const measureElement = `(element) => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const luminanceOf = (color) => {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) => {
      const part = byte / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const computed = getComputedStyle(element);
  const style = Object.fromEntries([...computed].map((name) => [name, computed.getPropertyValue(name)]));
  const [a, b] = [computed.color, computed.backgroundColor].map(luminanceOf);
  return { style, height: element.offsetHeight, contrast: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) };
}`;

/** An expression for an element of the banner. */
export function inBanner(selector: string): string {
  return `document.querySelector("avow-widget").shadowRoot.querySelector(${JSON.stringify(selector)})`;
}

/** Measures a control of the banner: its whole computed style, size and contrast. */
export function measure(page: Page, selector: string): Promise<Looks> {
  return page.evaluate(`(${measureElement})(${inBanner(selector)})`);
}

/** Measures each element of a list, given by an expression. */
export function measureAll(page: Page, found: string): Promise<Looks[]> {
  return page.evaluate(`[...${found}].map(${measureElement})`);
}
