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

/** Sanitised HTML, and what was removed from it in words for the author: `<script>`, `onclick on <a>`. */
export interface SanitizedHtml {
  html: string;
  removed: string[];
}

/**
 * Keeps of a message's HTML what the allow-list names (wire section 2: "HTML fields are sanitised
 * on write"). Text, and markup that is allowed and well-formed, come back byte for byte, character
 * references included; anything else is written anew. Sanitising the answer again changes nothing.
 * The time is bounded for any nesting; the length is for the caller to bound. `removed` has 50
 * entries at most.
 */
export function sanitizeHtml(html: string): SanitizedHtml {
  if (!/[<&\0\r]/.test(html)) return { html, removed: [] };
  const removed = new Set<string>();
  try {
    // What is written anew may parse otherwise than it was meant (a link in a link): until it rests.
    let before = html;
    for (let round = 0; round < roundsMax; round += 1) {
      const after = toSafeHtml(before, removed);
      if (after === before) return { html: after, removed: [...removed] };
      before = after;
    }
    removed.add("markup that does not come to rest");
    return { html: escapeHtml(before), removed: [...removed] };
  } catch (error) {
    if (!(error instanceof HtmlTooComplexError)) throw error;
    return { html: "", removed: [error.message] };
  }
}

/**
 * Sanitised HTML in the serialiser's one way of writing, for readers that are no browsers: tags in small
 * letters, values in double quotes, of character references `&amp;`, `&lt;` and `&quot;` alone.
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
 * The same HTML in the serialiser's way of writing, to tell whether the author's differs in more
 * than that. Where this goes wrong the two differ, and the serialiser's is taken.
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
