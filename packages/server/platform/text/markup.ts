/** HTML that is written by us: everything that was put into it is escaped. */
export interface Markup {
  readonly html: string;
}

type Part = string | number | Markup | undefined | readonly Part[];

/**
 * HTML of a template. What is put in is text and is escaped, also in quoted attributes; only what
 * `markup` made goes in as it is, lists one behind the other, and undefined as nothing. (It is not called
 * `html`, since formatters write the templates of that name anew.)
 */
export function markup(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = texts[0] ?? "";
  for (const [at, part] of parts.entries()) text += toMarkup(part) + (texts[at + 1] ?? "");
  return { html: text };
}

function toMarkup(part: Part): string {
  if (part === undefined) return "";
  if (typeof part === "string") return escapeMarkup(part);
  if (typeof part === "number") return String(part);
  return "html" in part ? part.html : part.map(toMarkup).join("");
}

const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? "");
}
