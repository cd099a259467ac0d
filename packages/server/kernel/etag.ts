import { Fault } from "../platform/errors.ts";

/** The entity tags of an `If-None-Match` header; weak marks do not count in its comparison. */
export function toEtags(header: string | undefined): string[] {
  return (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
}

/** Throws a `Fault` (stale) when `ifMatch` names another version than `etag` (RFC 9110, 13.1.1). */
export function assertMatches(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined) return;
  // A weak tag never matches here: the comparison is the strong one.
  const wanted = new Set(ifMatch.split(",").map((tag) => tag.trim()));
  if (wanted.has("*") || wanted.has(etag)) return;
  const detail = `It has changed meanwhile: If-Match says ${ifMatch}, the present version is ${etag}.`;
  throw new Fault("stale", detail);
}
