import { type Markup, markup } from "../../../../../platform/text/markup.ts";
import { collections } from "@avow/contract/collections";
import { type Fields, toFields, toLine, toList } from "../../statement/fields.ts";
import { type ShownPart, nameOf, toShown } from "../../statement/shown.ts";
import { toReadableText, toTextLabel } from "../../statement/shown-words.ts";
import type { Words as FormWords } from "../../statement/words-en.ts";
import { wordsOf } from "../../statement/words.ts";
import type { Words } from "../words/words.ts";

/** Characters of one configuration that are laid out; the file has all of it. */
const CHARS_MAX = 40_000;

/** A configuration of a published file. */
export interface ShownConfiguration {
  identifier: string;
  name: string;
  fields: Fields;
}

/** The configurations of a published file that are asked for, by identifier. */
export function listConfigurations(
  content: string,
  identifiers: ReadonlySet<string>,
): Map<string, ShownConfiguration> {
  const published = toFields(JSON.parse(content));
  const found = new Map<string, ShownConfiguration>();
  for (const collection of collections)
    for (const fields of toList(published[collection])) {
      const identifier = toLine(fields["identifier"]) ?? "";
      if (!identifiers.has(identifier)) continue;
      const name = nameOf(fields) ?? identifier;
      found.set(identifier, { identifier, name, fields });
    }
  return found;
}

/** The texts of a configuration in the order in which they were shown: its own, each step's, each vendor's. */
export function toShownTexts({ fields }: ShownConfiguration, words: Words): Markup {
  // What texts and their parts are called in the PDF of a proof.
  const said = wordsOf[words.lang];
  const { parts } = said.shown;
  const shown: Markup[] = [];
  let room = CHARS_MAX;
  for (const part of toShown(fields)) {
    const rows: Markup[] = [];
    for (const each of part.texts) {
      if (room <= 0) break;
      const cut = toReadableText(each, said).slice(0, room);
      room -= cut.length;
      rows.push(toRow(toTextLabel(each, said), cut));
    }
    if (rows.length > 0 || part.kind !== "configuration")
      shown.push(markup`${toPartHead(part, parts)}<dl class="texts">\n${rows}</dl>\n`);
  }
  const isCut = room <= 0 ? markup`<p class="note">${words.shown.cut}</p>` : undefined;
  return markup`${shown}${isCut}`;
}

function toPartHead({ kind, name }: ShownPart, parts: FormWords["shown"]["parts"]) {
  if (kind === "configuration") return undefined;
  return markup`<h5 class="${kind}">${parts[kind]} <bdi>${name}</bdi></h5>\n`;
}

function toRow(label: string, text: string): Markup {
  return markup`<dt>${label}</dt><dd><span class="text" dir="auto">${text}</span></dd>\n`;
}
