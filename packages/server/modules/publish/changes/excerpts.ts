const LENGTH_MAX = 80;
const AROUND_MAX = 30;
/** Further back no space is looked for: some languages are written without any. */
const WORD_MAX = 24;

/** A text that is short enough to be read in a list. */
export interface Cut {
  text: string;
  parts?: [string, string, string];
  /** How many words there are in all of it, where it is cut. */
  words?: number;
}

/** The beginning of a text, whole words where there are any, with "…" in the place of the rest. */
export function cut(given: string, max = LENGTH_MAX): Cut {
  const text = toLine(given);
  if (text.length <= max) return { text };
  return { text: `${text.slice(0, toStart(text, max - 1)).trimEnd()}…`, words: countWords(text) };
}

/**
 * Two texts where they differ, with a little of what is around it: what is as before, what is not, what is
 * as before again. At most 80 characters differ visibly, and 30 on each side are as before. Linear.
 */
export function cutAround(before: string, after: string): [Cut, Cut] {
  const [from, to] = [toLine(before), toLine(after)];
  // Only the spaces differ: they are shown as they are.
  const [one, other] = from === to ? [before, after] : [from, to];
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  start = toStart(one, Math.min(start, toStart(other, start)));
  let end = 0;
  while (end < shorter - start && one[one.length - 1 - end] === other[other.length - 1 - end])
    end += 1;
  const ends = Math.min(
    one.length - toEnd(one, one.length - end),
    other.length - toEnd(other, other.length - end),
  );
  return [toParts(one, start, one.length - ends), toParts(other, start, other.length - ends)];
}

function toParts(text: string, start: number, end: number): Cut {
  const lead = text.slice(0, start);
  const middle = text.slice(start, end);
  const tail = text.slice(end);
  const isShort = text.length <= LENGTH_MAX;
  const parts: [string, string, string] = isShort
    ? [lead, middle, tail]
    : [toLead(lead), cutMiddle(middle), toTail(tail)];
  const shown = parts.join("");
  return { text: shown, parts, ...(shown !== text && { words: countWords(text) }) };
}

function toLead(text: string): string {
  if (text.length <= AROUND_MAX) return text;
  return `…${text.slice(toEnd(text, text.length - AROUND_MAX)).trimStart()}`;
}

function toTail(text: string): string {
  if (text.length <= AROUND_MAX) return text;
  return `${text.slice(0, toStart(text, AROUND_MAX)).trimEnd()}…`;
}

function cutMiddle(text: string): string {
  if (text.length <= LENGTH_MAX) return text;
  return `${text.slice(0, toStart(text, LENGTH_MAX - 1)).trimEnd()}…`;
}

/** The beginning of the word that is at a place; the place, where no word begins near, never amid a character. */
function toStart(text: string, place: number): number {
  if (place >= text.length) return text.length;
  for (let at = place; at > Math.max(0, place - WORD_MAX); at -= 1)
    if (isSpace(text[at - 1])) return at;
  let at = place;
  while (at > 0 && isAmid(text, at)) at -= 1;
  // A short text without any space before is one word.
  return place <= WORD_MAX && !/\s/.test(text.slice(0, place)) && isLetters(text.slice(0, place))
    ? 0
    : at;
}

/** The end of the word that is at a place, alike. */
function toEnd(text: string, place: number): number {
  for (let at = place; at < Math.min(text.length, place + WORD_MAX); at += 1)
    if (isSpace(text[at])) return at;
  if (text.length - place <= WORD_MAX && isLetters(text.slice(place))) return text.length;
  let at = place;
  while (at < text.length && isAmid(text, at)) at += 1;
  return at;
}

/** Scripts that separate words by spaces. */
function isLetters(text: string): boolean {
  return !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(
    text,
  );
}

/** Whether a place is within what is seen as one character: a pair of surrogates, a letter and its accents, a joined emoji. */
function isAmid(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const [before, code] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  if (code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff) return true;
  if (before === 0x200d || code === 0x200d) return true;
  const next = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return /[\p{M}\p{Emoji_Modifier}]/u.test(next);
}

function isSpace(text: string | undefined): boolean {
  return text !== undefined && /\s/.test(text);
}

function toLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function countWords(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}

const references: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  nbsp: " ",
};

/** The words of a published text of HTML, whose references are `&amp;`, `&lt;` and `&quot;` alone. */
export function toReadText(html: string): string {
  return html
    .replaceAll(/<\/?(?:p|br|li|ul|ol|h[1-6]|div|blockquote|table|tr|td|th)\b[^<>]*>/gi, " ")
    .replaceAll(/<[^<>]*>/g, "")
    .replaceAll(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => references[name] ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
