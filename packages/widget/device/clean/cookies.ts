import type { StoredItem } from "@avow/contract/configuration";
import { isPattern } from "./patterns.ts";

/** Limit of domains and paths for which the cookies that a page sees are deleted. */
const PLACES_MAX = 200;
/** Limit of declared cookies with a domain or path of their own. */
const ITEMS_MAX = 1_000;

interface Place {
  /** Empty for a cookie of the host alone. */
  domain: string;
  path: string;
}

/**
 * Deletes cookies, of which a page knows only the names: at the declared domains and paths, then at each domain and path
 * that the page can see, until none is left. A page cannot delete HttpOnly cookies.
 */
export function deleteCookies(
  items: readonly StoredItem[],
  isDeleted: (name: string) => boolean,
): void {
  const secure = location.protocol === "https:" ? ";secure" : "";
  const expire = (name: string, { domain, path }: Place): void => {
    const where = domain && `;domain=${domain}`;
    document.cookie = `${name}=;path=${path}${where}${secure};max-age=0`;
  };
  const domains = listDomains(location.hostname);
  const places: Place[] = [];
  for (const item of items.slice(0, ITEMS_MAX)) {
    // Quoted, because the build mangles the widget's own `domain`.
    const { name, path, ["domain"]: declared } = item;
    const own = path === undefined && declared === undefined ? [] : [declared ?? domains].flat();
    for (const domain of own) {
      const place = { domain, path: path ?? "/" };
      places.push(place);
      // This page may not see a cookie of another path.
      if (path !== undefined && !isPattern(name) && isDeleted(name)) expire(name, place);
    }
  }
  const paths = listPaths(location.pathname);
  for (const path of paths) for (const domain of domains) places.push({ domain, path });
  const seen = new Set<string>();
  for (const place of places) {
    const key = JSON.stringify(place);
    if (seen.has(key)) continue;
    const names = listCookies().filter(isDeleted);
    if (!names[0] || seen.size >= PLACES_MAX) break;
    seen.add(key);
    for (const name of names) expire(name, place);
  }
}

/** The names of the cookies that the page sees. */
function listCookies(): string[] {
  return document.cookie.split("; ").flatMap((one) => /^([^=]+)=/.exec(one)?.[1] ?? []);
}

/** The host alone, the host with its subdomains, and each parent domain. A leading dot means the same (RFC 6265, 5.2.3). */
function listDomains(hostname: string): string[] {
  const labels = hostname.split(".");
  return ["", ...labels.slice(1).map((_, at) => labels.slice(at).join("."))];
}

/** `/`, and each folder and file of a path, with and without a slash at its end. */
function listPaths(pathname: string): string[] {
  const paths = ["/"];
  let path = "";
  for (const part of pathname.split("/").filter(Boolean)) {
    path += `/${part}`;
    paths.push(path, `${path}/`);
  }
  return paths;
}
