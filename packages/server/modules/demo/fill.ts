/** What a page is filled with: texts, and lists of texts by name. */
export type Values = Record<string, string | undefined | Record<string, string>[]>;

/**
 * Fills a page: `{{name}}` stands for a text, in text and in quoted attributes; what is between
 * `<!-- with name -->` and `<!-- end -->` is there where there is such a text, and once for each where it is
 * a list.
 */
export function fillPage(html: string, values: Values): string {
  // Of three parts each: a text, the name of what the next one is for, and that.
  const parts = html.split(/<!-- with (\w+) -->([\s\S]*?)<!-- end -->/);
  return parts
    .map((part, at) => {
      if (at % 3 === 1) return "";
      if (at % 3 === 0) return fill(part, values);
      const value = values[parts[at - 1] ?? ""];
      if (!Array.isArray(value)) return value ? fill(part, values) : "";
      return value.map((one) => fill(part, { ...values, ...one })).join("");
    })
    .join("");
}

function fill(html: string, values: Values): string {
  return html.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    return typeof value === "string" ? escapeHtml(value) : "";
  });
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replace(/[&<>"']/g, (c) => entities[c] ?? c);
}
