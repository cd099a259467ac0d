import type { ElementContent, RootContent } from "hast";
import { HtmlTooComplexError, parseSafeHtml } from "../../../../platform/text/html-tree.ts";

const blocks = new Set(
  "address blockquote dd div dl dt figure h1 h2 h3 h4 h5 h6 hr li ol p pre section table tr ul".split(
    " ",
  ),
);

/**
 * The text of a message's HTML as a reader saw it: blocks on lines of their own, list items with a
 * bullet, and the address of each link behind its words. Markup that is too deep to be read stays as
 * it is, since nothing that was shown may be left out.
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

/** At most 64 levels deep, since the parser takes no more. */
function toText(nodes: readonly (RootContent | ElementContent)[]): string {
  return nodes
    .map((node) => {
      // White space in HTML is one space; line breaks are the markup's.
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
