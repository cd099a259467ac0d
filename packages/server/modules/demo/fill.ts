/** The values of a page template: texts, and lists of texts by name. */
export type Values = Record<string, string | undefined | Record<string, string>[]>;

/**
 * Fills a page template. `{{name}}` is replaced by a text, in text and in quoted attributes. A block from
 * `<!-- with name -->` to `<!-- end -->` is kept if there is such a text, and repeated for each item of a list.
 */
export function fillPage(html: string, values: Values): string {
  // Split into groups of three: text, the name of a block, the block.
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
