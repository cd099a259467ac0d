import type { Report } from "./report.ts";

/** A value of a configuration: JSON, in objects without a prototype. */
export type Plain = null | boolean | number | string | readonly Plain[] | PlainObject;
export interface PlainObject {
  readonly [key: string]: Plain;
}

const DEPTH_MAX = 40;
const VALUES_MAX = 200_000;
const KEY_LENGTH_MAX = 1_000;
const forbiddenKeys = new Set(["__proto__", "constructor", "prototype"]);

export function isPlainObject(value: Plain | undefined): value is PlainObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isPlainList(value: Plain | undefined): value is readonly Plain[] {
  return Array.isArray(value);
}

/** Limits how many values of one file are read. */
export interface Budget {
  left: number;
}

/** A budget for one file, or for what is `left` of another one. */
export function openBudget(left = VALUES_MAX): Budget {
  return { left: Math.min(left, VALUES_MAX) };
}

/** Takes one value from the budget; false, with a line in the report, when it or the depth is exhausted. */
export function mayRead(
  budget: Budget,
  { depth, path, report }: { depth: number; path: string; report: Report },
): boolean {
  if (depth <= DEPTH_MAX && budget.left > 0) {
    budget.left -= 1;
    return true;
  }
  const limit = depth > DEPTH_MAX ? `${DEPTH_MAX} levels` : `${VALUES_MAX} values`;
  report.add("not mapped", path, `Beyond the limit of ${limit}.`);
  return false;
}

/** Whether a key may be read; otherwise it is in the report. */
export function isKey(key: string, path: string, report: Report): boolean {
  if (!forbiddenKeys.has(key) && key.length <= KEY_LENGTH_MAX) return true;
  report.add("invalid", path, "The name of the field is not allowed.");
  return false;
}

/**
 * Parses JSON within limits of depth and number.
 * @throws SyntaxError for a text that is not JSON
 */
export function parsePlainJson(text: string, report: Report): Plain {
  const value: unknown = JSON.parse(text);
  return toPlain(value, { budget: openBudget(), depth: 0, path: "", report });
}

interface Reading {
  budget: Budget;
  depth: number;
  path: string;
  report: Report;
}

function toPlain(value: unknown, reading: Reading): Plain {
  if (!mayRead(reading.budget, reading)) return null;
  if (typeof value !== "object" || value === null)
    return value === undefined ? null : (value as string | number | boolean | null);
  const { path, depth, report } = reading;
  const inner = (part: unknown, name: string): Plain =>
    toPlain(part, { ...reading, depth: depth + 1, path: path + name });
  if (Array.isArray(value)) return value.map((part, index) => inner(part, `[${index}]`));
  const object = Object.create(null) as Record<string, Plain>;
  for (const [key, part] of Object.entries(value)) {
    const name = path === "" ? key : `.${key}`;
    if (isKey(key, path + name, report)) object[key] = inner(part, name);
  }
  return object;
}
