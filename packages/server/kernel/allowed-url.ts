import { assertNoFaults } from "../platform/errors.ts";

/** Where people may be sent to: to the service itself, and to what is configured (`REDIRECT_URLS`). */
export interface Places {
  publicUrl: string;
  /** Origins, and whole addresses. */
  redirectUrls: readonly string[];
}

/** A parameter in which an application binds its own session; it leads nowhere. */
const BINDING = "state";
const BINDING_LENGTH_MAX = 256;

/**
 * An address that somebody else named, for people to be sent to: on a configured origin, compared as
 * a whole (scheme, host, port), or one that is configured as it is (RFC 9700, section 4.1.3), so that no link of ours leads
 * anywhere else.
 *
 * @throws Fault invalid, at `path`, for any other
 */
export function toAllowedUrl(
  { publicUrl, redirectUrls }: Places,
  { path, given }: { path: string; given: string },
): URL {
  // Browsers read these as something else, so nobody means them.
  const url = /[\\\s\p{Cc}]/u.test(given) ? null : URL.parse(given);
  const isAllowed =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === "" &&
    url.password === "" &&
    [new URL(publicUrl).origin, ...redirectUrls].some((place) => isAt(url, place));
  if (url && isAllowed) return url;
  const message = "must be an address of REDIRECT_URLS, or on an origin of it or of this service";
  assertNoFaults([{ path, message }]);
  throw new Error("a fault was thrown");
}

/** Whether an address is on the origin that `place` is, or is `place`, path and query, beside a `state`. */
function isAt(url: URL, place: string): boolean {
  if (url.origin === place) return true;
  const exact = new URL(place);
  // An origin has no path, which is how it is told from its address.
  // `hash` is empty for an empty fragment, too.
  if (exact.origin === place || url.href.includes("#")) return false;
  if (url.origin !== exact.origin || url.pathname !== exact.pathname) return false;
  const query = new URLSearchParams(url.search);
  const bindings = query.getAll(BINDING);
  if (bindings.length > 1 || (bindings[0] ?? "").length > BINDING_LENGTH_MAX) return false;
  if (url.search === exact.search) return true;
  // What is behind it stays as it is written: nothing is parsed and set together anew.
  const rest = url.search
    .slice(1)
    .split("&")
    .filter((part) => !part.startsWith(`${BINDING}=`))
    .join("&");
  return (rest === "" ? "" : `?${rest}`) === exact.search;
}

/** `url` with query parameters of ours, in place of any of the same name. */
export function withQuery(url: URL, parameters: Record<string, string>): string {
  const copy = new URL(url);
  for (const [name, value] of Object.entries(parameters)) copy.searchParams.set(name, value);
  return copy.href;
}
