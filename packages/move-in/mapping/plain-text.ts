/** Elements whose content is not text for people. */
const hidden = new Set(["script", "style", "template", "noscript", "svg", "title"]);
/** Elements that start a new line. */
const blocks = /^(?:p|br|div|li|ul|ol|h[1-6]|tr|table|section|article|header|footer)$/;
const tagPattern = /<\/?([a-zA-Z][a-zA-Z0-9-]*)/y;
const entities: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  copy: "©",
  gt: ">",
  laquo: "«",
  ldquo: "“",
  lsquo: "‘",
  lt: "<",
  mdash: "—",
  nbsp: " ",
  ndash: "–",
  quot: '"',
  raquo: "»",
  rdquo: "”",
  reg: "®",
  rsquo: "’",
  hellip: "…",
};
const HTML_LENGTH_MAX = 200_000;
const CODE_POINT_MAX = 0x10_ff_ff;

/**
 * The text of a fragment of HTML, without its markup, on one or several lines. A text without markup stays as it is.
 * Takes time that is linear in the length.
 */
export function toPlainText(html: string, lengthMax: number): string {
  const text = toWholeText(html);
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1).trimEnd()}…`;
}

/** Whether `toPlainText` cuts the text of a fragment. */
export function isCutText(html: string, lengthMax: number): boolean {
  if (html.length > HTML_LENGTH_MAX) return true;
  return html.length > lengthMax && toWholeText(html).length > lengthMax;
}

function toWholeText(html: string): string {
  return (
    decodeEntities(removeTags(html.slice(0, HTML_LENGTH_MAX)))
      // Control and direction characters could change how a report or a banner reads.
      .replaceAll(/[\p{Cc}\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu, (character) =>
        character === "\n" || character === "\t" ? character : "",
      )
      .replaceAll(/[^\S\n]+/g, " ")
      .replaceAll(/ ?\n[ \n]*/g, "\n")
      .trim()
  );
}

/** The text as HTML: one paragraph a line. */
export function toHtml(text: string): string {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => `<p>${escapeHtml(line)}</p>`)
    .join("");
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function removeTags(html: string): string {
  const parts: string[] = [];
  for (let at = 0; at < html.length;) {
    const start = html.indexOf("<", at);
    if (start === -1) {
      parts.push(html.slice(at));
      break;
    }
    parts.push(html.slice(at, start));
    if (html.startsWith("<!--", start)) {
      at = endOf(html, "-->", start);
      continue;
    }
    tagPattern.lastIndex = start;
    const name = tagPattern.exec(html)?.[1]?.toLowerCase();
    if (name === undefined) {
      parts.push("<");
      at = start + 1;
      continue;
    }
    if (blocks.test(name)) parts.push("\n");
    const isHidden = hidden.has(name) && html[start + 1] !== "/";
    at = endOf(html, ">", isHidden ? endOf(html, `</${name}`, start) : start);
  }
  return parts.join("");
}

/** The position after `mark`, or the end of the text: what is not closed is not shown. */
function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at + mark.length;
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]{2,8}));/g, (...match) => {
    const [whole, decimal, hex, name] = match as [string, string?, string?, string?];
    if (name !== undefined)
      return Object.hasOwn(entities, name) ? (entities[name] ?? whole) : whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    return code > 0 && code <= CODE_POINT_MAX ? String.fromCodePoint(code) : "";
  });
}

/** Maximum number of links of a text that are read. */
export const LINKS_OF_TEXT_MAX = 20;

/** The links of a fragment of HTML with their texts, at most 20. */
export function listLinks(html: string): { text: string; url: string }[] {
  const links: { text: string; url: string }[] = [];
  const text = html.slice(0, HTML_LENGTH_MAX);
  const pattern = /<a\s[^<>]*?href\s*=\s*["']([^"'<>]{1,2048})["'][^<>]*>/gi;
  for (const match of text.matchAll(pattern)) {
    if (links.length >= LINKS_OF_TEXT_MAX) break;
    const from = match.index + match[0].length;
    const end = text.indexOf("</a", from);
    const inner = text.slice(from, end === -1 ? from : end);
    links.push({ text: toPlainText(inner, 200), url: decodeEntities(match[1] ?? "") });
  }
  return links;
}
