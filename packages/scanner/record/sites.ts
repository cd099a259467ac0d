/** Whether a host belongs to the scanned site: its own, or one below it. `www.` is not part of the name. */
export function isOwnHost(host: string, siteHost: string): boolean {
  const base = siteHost.replace(/^www\./, "");
  return host === base || host === siteHost || host.endsWith(`.${base}`);
}

/** Whether two hosts are one, apart from `www.`. */
export function isSameHost(one: string, other: string): boolean {
  return one.replace(/^www\./, "") === other.replace(/^www\./, "");
}

const SEGMENTS_KEPT = 2;
const SEGMENT_LENGTH_MAX = 60;

/** The first segments of a path: the rest may identify a visitor. */
export function toPathPrefix(pathname: string): string {
  const [, ...segments] = pathname.split("/");
  const kept = segments.slice(0, SEGMENTS_KEPT).map((one) => one.slice(0, SEGMENT_LENGTH_MAX));
  return `/${kept.join("/")}${segments.length > SEGMENTS_KEPT ? "/…" : ""}`;
}

/** The address of a page without query and fragment, which may contain personal data. */
export function toPageAddress(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`.slice(0, 2_048);
}
