import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Font, create } from "fontkit";
import { unwrapWoff } from "./woff.ts";

export type Face = "text" | "bold" | "mono";

/** An embedded font, opened on first use. */
export interface OpenFont {
  /** Its name in the document. */
  name: string;
  bytes: Buffer;
  /**
   * The width of a text, in thousandths of the font size. The font has to contain all its characters. Undefined if
   * fontkit cannot lay it out, such as an accent without an anchor in the font.
   */
  widthOf(text: string): number | undefined;
  /** Whether its script is cursive or right to left, so that fontkit orders its glyphs. */
  isRightToLeft: boolean;
}

/** The fonts of one document. */
export interface Fonts {
  /** The first font of the face that has the character; undefined if none has it. */
  find(codePoint: number, face: Face): OpenFont | undefined;
}

const WIDE = ["latin", "latin-ext", "greek", "greek-ext", "cyrillic", "cyrillic-ext", "vietnamese"];

/** Fontsource splits a family by script: a document embeds a subset of each font that it uses. */
const files: Record<Face, readonly string[]> = {
  text: WIDE.map((script) => toFile("noto-sans", script, 400)),
  bold: WIDE.map((script) => toFile("noto-sans", script, 600)),
  mono: WIDE.map((script) => toFile("noto-sans-mono", script, 400)),
};
/** Fallbacks of every face: other scripts, then a simple font for nearly all of Unicode. */
const others = {
  regular: toOthers(400),
  bold: toOthers(600),
  last: "@fontsource/unifontex/files/unifontex-latin-400-normal.woff",
};

/** Opens font files lazily. A character uses the first font of the face that has it. */
export function openFonts(): Fonts {
  const open = new Map<string, { font: Font; opened: OpenFont }>();
  const load = (file: string): { font: Font; opened: OpenFont } => {
    let known = open.get(file);
    if (!known) open.set(file, (known = openFont(file)));
    return known;
  };
  const found = new Map<string, OpenFont | undefined>();
  return {
    find(codePoint, face) {
      const key = `${face} ${codePoint}`;
      if (found.has(key)) return found.get(key);
      const file = chainOf(face).find((each) => load(each).font.hasGlyphForCodePoint(codePoint));
      const font = file === undefined ? undefined : load(file).opened;
      found.set(key, font);
      return font;
    },
  };
}

function chainOf(face: Face): string[] {
  return [...files[face], ...(face === "bold" ? others.bold : others.regular), others.last];
}

function openFont(file: string): { font: Font; opened: OpenFont } {
  const bytes = unwrapWoff(readFileSync(fileURLToPath(import.meta.resolve(file))));
  const font = create(bytes) as Font;
  const widths = new Map<string, number | undefined>();
  const widthOf = (text: string): number | undefined => {
    if (!widths.has(text)) widths.set(text, measure(font, text));
    return widths.get(text);
  };
  const isRightToLeft = /noto-sans-(?:arabic|hebrew)/.test(file);
  return { font, opened: { name: file, bytes, widthOf, isRightToLeft } };
}

/** In thousandths of the font size; undefined if fontkit cannot lay the text out. */
function measure(font: Font, text: string): number | undefined {
  try {
    return (font.layout(text).advanceWidth * 1000) / font.unitsPerEm;
  } catch (error) {
    // fontkit dereferences an anchor that the font's table marks as missing.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function toOthers(weight: number): string[] {
  return [
    toFile("noto-sans", "devanagari", weight),
    toFile("noto-sans-arabic", "arabic", weight),
    toFile("noto-sans-hebrew", "hebrew", weight),
  ];
}

function toFile(family: string, script: string, weight: number): string {
  return `@fontsource/${family}/files/${family}-${script}-${weight}-normal.woff`;
}
