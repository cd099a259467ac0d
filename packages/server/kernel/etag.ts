import { Fault } from "../platform/errors.ts";

/** The entity tags of an `If-None-Match` header, without the weak prefix: its comparison is the weak one. */
export function toEtags(header: string | undefined): string[] {
  return (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
}

/** Throws a `Fault` (stale) when `ifMatch` names another version than `etag` (RFC 9110, 13.1.1). */
export function assertMatches(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined) return;
  // The comparison is the strong one, so that a weak tag never matches.
  const wanted = new Set(ifMatch.split(",").map((tag) => tag.trim()));
  if (wanted.has("*") || wanted.has(etag)) return;
  const detail = `The document has changed: If-Match is ${ifMatch}, its current version is ${etag}. Read it again and repeat the change.`;
  throw new Fault("stale", detail);
}
