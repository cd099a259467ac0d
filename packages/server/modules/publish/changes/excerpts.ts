const LENGTH_MAX = 80;
const AROUND_MAX = 30;
/** Maximum distance to search for a space, since some languages are written without any. */
const WORD_MAX = 24;

/** A text that is short enough for a list. */
export interface Excerpt {
  text: string;
  parts?: [string, string, string];
  /** Number of words of the whole text, if it is cut. */
  words?: number;
}

/** Cuts a text at a word boundary, where there is one, and appends "…". */
export function cut(original: string, max = LENGTH_MAX): Excerpt {
  const text = toLine(original);
  if (text.length <= max) return { text };
  return { text: `${text.slice(0, toStart(text, max - 1)).trimEnd()}…`, words: countWords(text) };
}

/**
 * Cuts two texts around their difference, in three parts: unchanged, changed, unchanged. The changed part
 * has at most 80 characters, and each unchanged part at most 30. Takes linear time.
 */
export function cutAround(before: string, after: string): [Excerpt, Excerpt] {
  const [from, to] = [toLine(before), toLine(after)];
  // Only the white space differs: keep it.
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

function toParts(text: string, start: number, end: number): Excerpt {
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

/** The start of the word at an index, or the nearest character boundary if no word starts nearby. */
function toStart(text: string, index: number): number {
  if (index >= text.length) return text.length;
  for (let at = index; at > Math.max(0, index - WORD_MAX); at -= 1)
    if (isSpace(text[at - 1])) return at;
  let at = index;
  while (at > 0 && isInsideCharacter(text, at)) at -= 1;
  // A short text without any space before the index is one word.
  return index <= WORD_MAX && !/\s/.test(text.slice(0, index)) && usesSpaces(text.slice(0, index))
    ? 0
    : at;
}

/** The end of the word at an index, likewise. */
function toEnd(text: string, index: number): number {
  for (let at = index; at < Math.min(text.length, index + WORD_MAX); at += 1)
    if (isSpace(text[at])) return at;
  if (text.length - index <= WORD_MAX && usesSpaces(text.slice(index))) return text.length;
  let at = index;
  while (at < text.length && isInsideCharacter(text, at)) at += 1;
  return at;
}

/** Whether a text is written in scripts that separate words by spaces. */
function usesSpaces(text: string): boolean {
  return !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(
    text,
  );
}

/** Whether an index is inside a surrogate pair, a letter with combining marks or a joined emoji. */
function isInsideCharacter(text: string, at: number): boolean {
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

/** The text of published HTML, whose only references are `&amp;`, `&lt;` and `&quot;`. */
export function toReadText(html: string): string {
  return html
    .replaceAll(/<\/?(?:p|br|li|ul|ol|h[1-6]|div|blockquote|table|tr|td|th)\b[^<>]*>/gi, " ")
    .replaceAll(/<[^<>]*>/g, "")
    .replaceAll(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => references[name] ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
