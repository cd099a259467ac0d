import { type JsonObject, isObject } from "@avow/contract/json";

type Container = JsonObject | readonly unknown[];

/** The value at a JSON pointer (RFC 6901); undefined if there is none. */
export function findAt(value: unknown, at: string): unknown {
  return toKeys(at).reduce<unknown>(
    (one, key) => (isContainer(one) ? (one as JsonObject)[key] : undefined),
    value,
  );
}

/** A copy with another value at a JSON pointer. Missing parents are created; undefined removes the value. */
export function withAt<T extends Container>(value: T, at: string, next: unknown): T {
  return put(value, toKeys(at), next) as T;
}

/** A JSON pointer from keys. */
export function toPlace(...keys: readonly (string | number)[]): string {
  return keys
    .map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

/** The keys of a JSON pointer. */
export function toKeys(at: string): string[] {
  const keys = at.split("/").slice(1);
  return keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function put(value: unknown, [key, ...rest]: readonly string[], next: unknown): unknown {
  if (key === undefined) return next;
  if (Array.isArray(value))
    return value.map((one: unknown, n) => (String(n) === key ? put(one, rest, next) : one));
  const own = isObject(value) ? value : {};
  const inner = put(own[key], rest, next);
  if (inner !== undefined) return { ...own, [key]: inner };
  return Object.fromEntries(Object.entries(own).filter(([name]) => name !== key));
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}
