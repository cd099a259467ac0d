import type { ElementContent, RootContent } from "hast";
import { HtmlTooComplexError, parseSafeHtml } from "../../../../platform/text/html-tree.ts";

const blocks = new Set(
  "address blockquote dd div dl dt figure h1 h2 h3 h4 h5 h6 hr li ol p pre section table tr ul".split(
    " ",
  ),
);

/**
 * Converts a message's HTML to plain text: blocks on separate lines, list items with a bullet, and the address of each
 * link after its text. HTML that is nested too deeply to be parsed is returned unchanged, since no shown text may be
 * omitted.
 */
export function toPlainText(html: string): string {
  if (!/[<&]/.test(html)) return html.trim();
  try {
    const { children } = parseSafeHtml(html, new Set());
    return toText(children)
      .replaceAll(/[ \t]+/g, " ")
      .replaceAll(/ ?\n ?/g, "\n")
      .replaceAll(/\n{3,}/g, "\n\n")
      .replaceAll(/\n+(?=• )/g, "\n")
      .trim();
  } catch (error) {
    if (error instanceof HtmlTooComplexError) return html;
    throw error;
  }
}

/** The parser limits the recursion to 64 levels. */
function toText(nodes: readonly (RootContent | ElementContent)[]): string {
  return nodes
    .map((node) => {
      // HTML collapses white space; line breaks come from elements.
      if (node.type === "text") return node.value.replaceAll(/\s+/g, " ");
      if (node.type !== "element") return "";
      if (node.tagName === "br") return "\n";
      const inner = toText(node.children);
      if (node.tagName === "a") return withAddress(inner, node.properties["href"]);
      if (!blocks.has(node.tagName)) return inner;
      return node.tagName === "li" ? `\n• ${inner.trim()}\n` : `\n${inner}\n`;
    })
    .join("");
}

function withAddress(words: string, href: unknown): string {
  return typeof href === "string" && href !== words.trim() ? `${words} (${href})` : words;
}
