import { type Markup, markup } from "../../../../../platform/text/markup.ts";
import { type AnyConfiguration, listAsking, parseContent } from "@avow/contract/published";
import { titleOf } from "@avow/contract/labels";
import { type ShownPart, toShown } from "../../statement/shown.ts";
import { toReadableText, toTextLabel } from "../../statement/shown-words.ts";
import type { Words as FormWords } from "../../statement/words-en.ts";
import { wordsOf } from "../../statement/words.ts";
import type { Words } from "../words/words.ts";

/** Maximum characters of one configuration in the index; the published file has all of them. */
const CHARS_MAX = 40_000;

/** A configuration of a published file. */
export interface ShownConfiguration {
  identifier: string;
  name: string;
  fields: AnyConfiguration;
}

/** The given configurations of a published file, by identifier. */
export function listConfigurations(
  content: string,
  identifiers: ReadonlySet<string>,
): Map<string, ShownConfiguration> {
  const found = new Map<string, ShownConfiguration>();
  for (const { configuration: fields } of listAsking(parseContent(content))) {
    const { identifier } = fields;
    if (!identifiers.has(identifier)) continue;
    found.set(identifier, { identifier, name: titleOf(fields) ?? identifier, fields });
  }
  return found;
}

/** The texts of a configuration in the order in which they were shown: its own, then those of steps and vendors. */
export function toShownTexts({ fields }: ShownConfiguration, words: Words): Markup {
  // The index labels texts and parts as the PDF of a proof does.
  const labels = wordsOf[words.lang];
  const { parts } = labels.shown;
  const shown: Markup[] = [];
  let charsLeft = CHARS_MAX;
  for (const part of toShown(fields)) {
    const rows: Markup[] = [];
    for (const each of part.texts) {
      if (charsLeft <= 0) break;
      const cut = toReadableText(each, labels).slice(0, charsLeft);
      charsLeft -= cut.length;
      rows.push(toRow(toTextLabel(each, labels), cut));
    }
    if (rows.length > 0 || part.kind !== "configuration")
      shown.push(markup`${toPartHead(part, parts)}<dl class="texts">\n${rows}</dl>\n`);
  }
  const isCut = charsLeft <= 0 ? markup`<p class="note">${words.shown.cut}</p>` : undefined;
  return markup`${shown}${isCut}`;
}

function toPartHead({ kind, name }: ShownPart, parts: FormWords["shown"]["parts"]) {
  if (kind === "configuration") return undefined;
  return markup`<h5 class="${kind}">${parts[kind]} <bdi>${name}</bdi></h5>\n`;
}

function toRow(label: string, text: string): Markup {
  return markup`<dt>${label}</dt><dd><span class="text" dir="auto">${text}</span></dd>\n`;
}
