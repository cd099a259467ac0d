import { isObject } from "@avow/contract/json";

/** The service rejects deeper documents. */
const DEPTH_MAX = 60;

/**
 * Finds the first value that JSON does not have, or that the service rejects.
 * @returns its JSON pointer and what is wrong; undefined for a plain JSON value
 */
export function findNoJson(
  value: unknown,
  pointer = "",
  depth = 0,
): { pointer: string; message: string } | undefined {
  if (depth > DEPTH_MAX)
    return { pointer, message: `is nested more than ${DEPTH_MAX} levels deep` };
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) return { pointer, message: "must be a finite number" };
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
      return { pointer, message: "is beyond 2^53. Write it as a text" };
    return undefined;
  }
  if (!Array.isArray(value) && !isPlainObject(value))
    return { pointer, message: "is no value of JSON" };
  for (const [key, inner] of Object.entries(value as object)) {
    const here = `${pointer}/${toToken(key)}`;
    if (key === "__proto__") return { pointer: here, message: "is not allowed as a name" };
    const found = findNoJson(inner, here, depth + 1);
    if (found) return found;
  }
  return undefined;
}

function isPlainObject(value: unknown): boolean {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm or without a prototype is plain too.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A name as part of a JSON pointer (RFC 6901). */
export function toToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The names in a JSON pointer. */
export function toKeys(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}
