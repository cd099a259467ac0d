import { assertNoFaults } from "../platform/errors.ts";

/** Allowed redirect targets: the service itself, and `REDIRECT_URLS`. */
export interface RedirectTargets {
  publicUrl: string;
  /** Origins and exact URLs. */
  redirectUrls: readonly string[];
}

/** The parameter in which an application binds its own session. It does not change the target. */
const BINDING = "state";
const BINDING_LENGTH_MAX = 256;

/**
 * Parses an untrusted redirect target. Its origin (scheme, host and port) must be configured, or its exact URL
 * (RFC 9700, section 4.1.3), so that the service is no open redirector.
 *
 * @throws Fault invalid, at `path`, for any other
 */
export function toAllowedUrl(
  { publicUrl, redirectUrls }: RedirectTargets,
  { path, given }: { path: string; given: string },
): URL {
  // Browsers strip or rewrite these characters.
  const url = /[\\\s\p{Cc}]/u.test(given) ? null : URL.parse(given);
  const isAllowed =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === "" &&
    url.password === "" &&
    [new URL(publicUrl).origin, ...redirectUrls].some((allowed) => isAt(url, allowed));
  if (url && isAllowed) return url;
  const message =
    "must be a URL listed in REDIRECT_URLS, or be on this service's origin or one listed there";
  assertNoFaults([{ path, message }]);
  throw new Error("a fault was thrown");
}

/** Whether `url` is on the origin `allowed`, or equals the URL `allowed` except for a `state` parameter. */
function isAt(url: URL, allowed: string): boolean {
  if (url.origin === allowed) return true;
  const exact = new URL(allowed);
  // `allowed` is an origin. `hash` would be empty for an empty fragment, too.
  if (exact.origin === allowed || url.href.includes("#")) return false;
  if (url.origin !== exact.origin || url.pathname !== exact.pathname) return false;
  const query = new URLSearchParams(url.search);
  const bindings = query.getAll(BINDING);
  if (bindings.length > 1 || (bindings[0] ?? "").length > BINDING_LENGTH_MAX) return false;
  if (url.search === exact.search) return true;
  // The query is compared as it was sent: parsing and serializing it could change it.
  const rest = url.search
    .slice(1)
    .split("&")
    .filter((part) => !part.startsWith(`${BINDING}=`))
    .join("&");
  return (rest === "" ? "" : `?${rest}`) === exact.search;
}

/** Sets query parameters of a URL, replacing those of the same name. */
export function withQuery(url: URL, parameters: Record<string, string>): string {
  const copy = new URL(url);
  for (const [name, value] of Object.entries(parameters)) copy.searchParams.set(name, value);
  return copy.href;
}
