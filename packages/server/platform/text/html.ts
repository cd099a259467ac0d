import { defaultTreeAdapter, parseFragment } from "parse5";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import { HtmlTooComplexError, parseSafeHtml } from "./html-tree.ts";

const roundsMax = 5;
const stringifier = unified()
  .use(rehypeStringify, {
    characterReferences: { useNamedReferences: true },
    // Apostrophes and backticks in quoted attributes, which only Internet Explorer 8 misread.
    allowDangerousCharacters: true,
  })
  .freeze();

/** Sanitized HTML, and descriptions for the author of what was removed: `<script>`, `onclick on <a>`. */
export interface SanitizedHtml {
  html: string;
  removed: string[];
}

/**
 * Sanitizes a message's HTML with an allow-list (wire section 2: "HTML fields are sanitised on write"). Text and
 * allowed, well-formed markup are returned byte for byte, including character references; anything else is
 * serialized again. Sanitizing is idempotent. The time is limited for any nesting; the caller limits the length.
 * `removed` has at most 50 entries.
 */
export function sanitizeHtml(html: string): SanitizedHtml {
  if (!/[<&\0\r]/.test(html)) return { html, removed: [] };
  const removed = new Set<string>();
  try {
    // Serialized markup may parse differently (a link in a link), so repeat until it is stable.
    let before = html;
    for (let round = 0; round < roundsMax; round += 1) {
      const after = toSafeHtml(before, removed);
      if (after === before) return { html: after, removed: [...removed] };
      before = after;
    }
    removed.add("markup that parses differently each time");
    return { html: escapeHtml(before), removed: [...removed] };
  } catch (error) {
    if (!(error instanceof HtmlTooComplexError)) throw error;
    return { html: "", removed: [error.message] };
  }
}

/**
 * Serializes sanitized HTML in a canonical form, for readers other than browsers: lower-case tags, double-quoted
 * values, and only the character references `&amp;`, `&lt;` and `&quot;`.
 */
export function writeHtml(sanitized: string): string {
  return stringifier.stringify(parseSafeHtml(sanitized, new Set()));
}

function toSafeHtml(html: string, removed: Set<string>): string {
  const removedHere = new Set<string>();
  const safe = stringifier.stringify(parseSafeHtml(html, removedHere));
  for (const what of removedHere) removed.add(what);
  return removedHere.size === 0 && toCanonical(html) === safe ? html : safe;
}

/**
 * Approximates the serializer's form of the same HTML, to detect differences beyond style. When the two forms
 * differ, the serializer's is used.
 */
function toCanonical(html: string): string {
  const decoded = new Map<string, string>();
  return html
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/<br\s*\/>/g, "<br>")
    .replaceAll(/&(?:#x[0-9a-f]+;|#\d+;|[a-z][a-z0-9]*;)?/gi, (reference) => {
      const text = decoded.get(reference) ?? escapeHtml(decodeReference(reference));
      decoded.set(reference, text);
      return text;
    });
}

function decodeReference(reference: string): string {
  const [node] = parseFragment(reference).childNodes;
  return node && defaultTreeAdapter.isTextNode(node) ? node.value : reference;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
