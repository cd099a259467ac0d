import type { FieldFault } from "../../../platform/errors.ts";
import { type SanitizedHtml, sanitizeHtml } from "../../../platform/text/html.ts";
import { htmlFieldsOf } from "./resources.ts";

type Container = Record<string, unknown>;

/**
 * Sanitizes the HTML fields of a document's body, in place; returns the removals with their paths. Called on write
 * and again on publish (wire section 2), where `write` serializes the sanitized HTML.
 */
export function sanitizeFields(
  resource: string,
  body: Container,
  write = (html: string): string => html,
): FieldFault[] {
  const clean = (html: string) => {
    const sanitized = sanitizeHtml(html);
    return { ...sanitized, html: write(sanitized.html) };
  };
  return htmlFieldsOf(resource).flatMap((pattern) =>
    cleanAt(body, { keys: pattern.slice(1).split("/"), path: "" }, clean),
  );
}

function cleanAt(
  container: Container,
  { keys: [key, ...rest], path }: { keys: string[]; path: string },
  clean: (html: string) => SanitizedHtml,
): FieldFault[] {
  if (key === undefined) return [];
  const names = key === "*" ? Object.keys(container) : [key];
  return names.flatMap((name) => {
    const value = container[name];
    const here = `${path}/${name}`;
    if (rest.length > 0)
      return typeof value === "object" && value !== null
        ? cleanAt(value as Container, { keys: rest, path: here }, clean)
        : [];
    if (typeof value !== "string") return [];
    const { html, removed } = clean(value);
    container[name] = html;
    return removed.length > 0 ? [{ path: here, message: `Removed: ${removed.join(", ")}.` }] : [];
  });
}
