import { assertNoFaults } from "./errors.ts";

/** The origins that people may be sent to: the service's own and the configured ones. */
export interface Origins {
  publicUrl: string;
  corsOrigins: readonly string[];
}

/**
 * An address that somebody else named, for people to be sent to: on a configured origin, compared as
 * a whole (scheme, host, port), so that no link of ours leads anywhere else.
 *
 * @throws Fault invalid, at `path`, for any other
 */
export function toAllowedUrl(
  { publicUrl, corsOrigins }: Origins,
  { path, given }: { path: string; given: string },
): URL {
  // Browsers read these as something else, so nobody means them.
  const url = /[\\\s\p{Cc}]/u.test(given) ? null : URL.parse(given);
  const isAllowed =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === "" &&
    url.password === "" &&
    [new URL(publicUrl).origin, ...corsOrigins].includes(url.origin);
  if (url && isAllowed) return url;
  const message = "must be an address on an origin of CORS_ORIGINS, or of this service";
  assertNoFaults([{ path, message }]);
  throw new Error("a fault was thrown");
}

/** `url` with query parameters of ours, in place of any of the same name. */
export function withQuery(url: URL, parameters: Record<string, string>): string {
  const copy = new URL(url);
  for (const [name, value] of Object.entries(parameters)) copy.searchParams.set(name, value);
  return copy.href;
}
