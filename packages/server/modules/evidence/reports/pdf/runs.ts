import openBidi from "bidi-js";
import type { Face, Fonts, OpenFont } from "./fonts.ts";

/** A part of a text in one font and one direction. Lines break inside a run only if it is longer than a line. */
export interface TextRun {
  text: string;
  font: OpenFont;
  /** The embedding level (UAX #9): odd is right to left. */
  level: number;
  /** In thousandths of the font size. */
  width: number;
}

/** Longer than any word. Unbounded runs, such as 100,000 accents on a letter, take fontkit minutes. */
export const RUN_LENGTH_MAX = 200;
const bidi = openBidi();
/** Characters without a glyph, which are not needed once the levels are known. */
const invisible = /^\p{Default_Ignorable_Code_Point}$/u;
const rightToLeft =
  /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufeff]|[\ud802\ud803\ud83a\ud83b]/;

/** The levels of a paragraph's code units, and of the paragraph itself; undefined if all are 0. */
export function toLevels(text: string): { levels: Uint8Array; base: number } | undefined {
  if (!rightToLeft.test(text)) return undefined;
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text, "auto");
  return { levels, base: paragraphs[0]?.level ?? 0 };
}

/**
 * Splits a part of a paragraph into runs, in reading order. Control characters and characters without a font are
 * written as code points, ⟨U+1F3F4⟩, so that no character is omitted or drawn as an empty box.
 */
export function toRuns(
  text: string,
  {
    fonts,
    face,
    levels,
    start = 0,
  }: { fonts: Fonts; face: Face; levels?: Uint8Array | undefined; start?: number },
): TextRun[] {
  const runs: { text: string; font: OpenFont; level: number }[] = [];
  let at = start;
  for (const character of text) {
    const level = levels?.[at] ?? 0;
    at += character.length;
    if (face !== "mono" && invisible.test(character)) continue;
    const { font, shown } = toShape(character, fonts, face);
    const last = runs.at(-1);
    // A run ends after each word, so that its width is cached and right-to-left words are ordered one by one.
    const continues =
      last?.font === font &&
      last.level === level &&
      !last.text.endsWith(" ") &&
      last.text.length < RUN_LENGTH_MAX;
    if (continues) last.text += shown;
    else runs.push({ text: shown, font, level });
  }
  return runs.flatMap((run) => measureRun(run, { fonts, face }));
}

/** Measures a run. If fontkit cannot lay it out as a whole, splits it into characters. */
function measureRun(
  run: Omit<TextRun, "width">,
  { fonts, face }: { fonts: Fonts; face: Face },
): TextRun[] {
  const text = run.level % 2 === 1 && !run.font.isRightToLeft ? toReversed(run.text) : run.text;
  const width = run.font.widthOf(text);
  if (width !== undefined) return [{ ...run, text, width }];
  const characters = Array.from(run.text);
  if (characters.length > 1)
    return characters.flatMap((character) =>
      measureRun({ ...run, text: character }, { fonts, face }),
    );
  const { font, shown } = toCode(run.text.codePointAt(0) ?? 0, fonts, face);
  return [{ text: shown, font, level: run.level, width: font.widthOf(shown) ?? 0 }];
}

function toShape(character: string, fonts: Fonts, face: Face): { font: OpenFont; shown: string } {
  const shown = /\s/u.test(character) ? " " : character;
  const codePoint = shown.codePointAt(0) ?? 0;
  const isShown = !/[\p{Cc}\p{Cs}\p{Co}\p{Cn}]/u.test(shown) && !invisible.test(shown);
  const font = isShown ? fonts.find(codePoint, face) : undefined;
  if (font) return { font, shown };
  return toCode(codePoint, fonts, face);
}

function toCode(codePoint: number, fonts: Fonts, face: Face): { font: OpenFont; shown: string } {
  const font = fonts.find(0x27e8, face);
  if (!font) throw new Error("No font has the brackets of a code point.");
  return { font, shown: `⟨U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}⟩` };
}

/** Reverses right-to-left text in fonts other than Arabic and Hebrew, whose glyphs fontkit orders itself. */
function toReversed(text: string): string {
  return Array.from(text)
    .toReversed()
    .map((character) => bidi.getMirroredCharacter(character) ?? character)
    .join("");
}
