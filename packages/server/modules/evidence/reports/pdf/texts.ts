import type { ShownPart } from "../statement/shown.ts";
import { toReadableText, toTextLabel } from "../statement/shown-words.ts";
import type { Statement } from "../statement/statement.ts";
import type { Words } from "../statement/words-en.ts";
import { writeDetails, writeHeading } from "./parts.ts";
import { type Sheet, addSpace, ink, reserveSpace, writeText } from "./sheet.ts";

/** Maximum characters and number of published texts in a document: about a hundred pages. */
const CHARACTERS_MAX = 250_000;
const TEXTS_MAX = 3_000;

/**
 * Writes the texts that were shown, in order. Texts beyond the limits are replaced by a reference to the attached file.
 */
export function writeShown(
  sheet: Sheet,
  { shown, configuration, published, record }: Statement,
  words: Words,
): void {
  writeHeading(sheet, words.shown.title, 110);
  const language = configuration["language"];
  const lead = published
    ? words.shown.lead(typeof language === "string" ? language : words.notStated)
    : words.shown.none;
  if (record.imported) writeText(sheet, "P", words.shown.adopted, { face: "bold", size: 9 });
  writeText(sheet, "P", lead, { face: "text", size: 9, color: ink.quiet });
  const left = { characters: CHARACTERS_MAX, texts: TEXTS_MAX };
  let omitted = 0;
  for (const part of shown) {
    const texts = part.texts.slice(0, left.texts);
    left.texts -= texts.length;
    omitted += part.texts.length - texts.length;
    if (texts.length === 0) continue;
    writePartHeading(sheet, part, words);
    for (const each of texts) {
      const text = toReadableText(each, words);
      const label = toTextLabel(each, words);
      const fits = text.length <= left.characters;
      left.characters -= fits ? text.length : 0;
      const shownText = fits ? text : words.shown.attached(text.length);
      writeDetails(sheet, [{ label, text: shownText, face: "text" }]);
    }
  }
  if (omitted > 0) writeMore(sheet, words.shown.more(omitted));
}

/** Writes a note about content that is only in the attached file. */
export function writeMore(sheet: Sheet, text: string): void {
  addSpace(sheet, 6);
  writeText(sheet, "P", text, { face: "bold", size: 9 });
}

function writePartHeading(sheet: Sheet, { kind, name }: ShownPart, words: Words): void {
  addSpace(sheet, 7);
  reserveSpace(sheet, 34);
  const label = words.shown.parts[kind];
  const text = name === "" ? label : `${label} · ${name}`;
  writeText(sheet, "H3", text, { face: "bold", size: 9.5 });
}
