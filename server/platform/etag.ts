import { Fault } from "./errors.ts";

/** The entity tags of an `If-Match` or `If-None-Match` header, weak marks dropped. */
export function toEtags(header: string | undefined): string[] {
  return (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
}

/** Throws a `Fault` (stale) when `ifMatch` names another version than `etag` (RFC 9110, 13.1.1). */
export function assertMatches(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined) return;
  const wanted = toEtags(ifMatch);
  if (wanted.includes("*") || wanted.includes(etag)) return;
  const detail = `It has changed meanwhile: If-Match says ${ifMatch}, the present version is ${etag}.`;
  throw new Fault("stale", detail);
}
