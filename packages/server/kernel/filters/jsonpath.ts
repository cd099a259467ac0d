/** SQL/JSON path language as PostgreSQL 14 and newer read it, written from untrusted text. */

const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const constants = new Set(["true", "false", "null"]);

export type Comparison = ">" | ">=" | "<" | "<=";

/** `["a", "b"]` as `$."a"."b"`. */
export function toPathExpression(segments: readonly string[]): string {
  return `$${segments.map((segment) => `.${toStringLiteral(segment)}`).join("")}`;
}

/**
 * Equality with any of `values`, each as a string and, if it looks like one, as a number, boolean or null:
 * query parameters have no type. Uses only `==` and `||`, which a GIN index with jsonb_path_ops supports. An
 * array equals a value that one of its elements equals (lax mode).
 */
export function toEqualsAny(path: string, values: readonly string[]): string {
  const literals = values.flatMap((value) => [toStringLiteral(value), ...toScalarLiterals(value)]);
  return literals.map((literal) => `${path} == ${literal}`).join(" || ");
}

/** Any of `values` as a part of the text, or of a text in the array, case-insensitive. */
export function toContainsAny(path: string, values: readonly string[]): string {
  // Flag q takes the pattern literally, flag i ignores case.
  return values
    .map((value) => `${path} like_regex ${toStringLiteral(value)} flag "iq"`)
    .join(" || ");
}

export function toExists(path: string, exists: boolean): string {
  return `${exists ? "" : "!"}exists(${path})`;
}

/** Compares numbers as numbers and everything else as text, in which ISO dates sort by time. */
export function toComparison(path: string, comparison: Comparison, value: string): string {
  return `${path} ${comparison} ${toNumberLiteral(value) ?? toStringLiteral(value)}`;
}

/** String literals of SQL/JSON paths are those of JSON. */
function toStringLiteral(text: string): string {
  return JSON.stringify(text);
}

function toScalarLiterals(value: string): string[] {
  if (constants.has(value)) return [value];
  return [toNumberLiteral(value)].filter((literal) => literal !== undefined);
}

/** Normalized by JavaScript's number, as stored numbers are; undefined if it overflows. */
function toNumberLiteral(value: string): string | undefined {
  if (!numberPattern.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? String(number) : undefined;
}
