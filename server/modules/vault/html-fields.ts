import type { FieldFault } from "../../platform/errors.ts";
import { sanitizeHtml } from "../../platform/html.ts";
import { htmlFieldsOf } from "./resources.ts";

type Container = Record<string, unknown>;

/**
 * Cleans the HTML fields of a document's body, in place; answers what was removed and where.
 * Used on write and again on publish (wire section 2).
 */
export function sanitizeFields(resource: string, body: Container): FieldFault[] {
  return htmlFieldsOf(resource).flatMap((pattern) =>
    sanitizeAt(body, pattern.slice(1).split("/"), ""),
  );
}

function sanitizeAt(container: Container, [key, ...rest]: string[], path: string): FieldFault[] {
  if (key === undefined) return [];
  const keys = key === "*" ? Object.keys(container) : [key];
  return keys.flatMap((at) => {
    const value = container[at];
    const here = `${path}/${at}`;
    if (rest.length > 0)
      return typeof value === "object" && value !== null
        ? sanitizeAt(value as Container, rest, here)
        : [];
    if (typeof value !== "string") return [];
    const { html, removed } = sanitizeHtml(value);
    container[at] = html;
    return removed.length > 0 ? [{ path: here, message: `Removed: ${removed.join(", ")}.` }] : [];
  });
}
