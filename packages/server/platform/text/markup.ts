import { createHash } from "node:crypto";

/** HTML from `markup` templates, in which all interpolated text is escaped. */
export interface Markup {
  readonly html: string;
}

type Part = string | number | Markup | undefined | readonly Part[];

/**
 * Template tag for HTML. Interpolated text is escaped, also for quoted attributes. Results of `markup` are inserted
 * as they are, lists concatenated, and undefined is omitted. (It is not named `html`, since formatters rewrite
 * templates of that name.)
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

/** The source of a policy's `style-src` that allows exactly this text of a `<style>` element. */
export function toStyleSource(style: string): string {
  return `'sha256-${createHash("sha256").update(style).digest("base64")}'`;
}
