import type { Config } from "../../../config/config.ts";
import { HOSTS } from "@avow/widget/names";
import {
  type Content,
  type HostList,
  type PublishedCookies,
  vendorsOf,
} from "@avow/contract/published";

const hostPattern = /^(\*\.)?([^/:]+)(:\d+)?(\/.*)?$/;
/** Browsers leave these out of addresses. */
const defaultPorts = new Set([":80", ":443"]);

/**
 * The addresses of a content's vendors. An address of several vendors waits for all of them; that of a vendor that no
 * configuration asks for waits for none. The page selects its configuration only later, so all of them count.
 */
export function toHostList(
  { cookies }: Pick<Content, "cookies">,
  ownHosts: readonly string[],
): HostList {
  const asked = new Set(
    cookies.flatMap((one) =>
      listVendors(one).flatMap(({ required, name }) => (required ? [] : name)),
    ),
  );
  const found = new Map<string, Set<string>>();
  for (const { name, hosts } of cookies.flatMap(listVendors))
    for (const host of listHosts(hosts)) {
      const vendors = found.get(host) ?? new Set();
      found.set(host, asked.has(name) ? vendors.add(name) : vendors);
    }
  // The widget must run whatever the vendors' addresses cover.
  if (found.size > 0) for (const host of ownHosts) found.set(host, new Set());
  return [...found]
    .toSorted(([a], [b]) => compareHosts(a, b))
    .map(([host, vendors]) => [host, ...vendors] as const);
}

/**
 * The script that holds a project's tags until consent; undefined if no vendor has an address. It contains its list,
 * because it must have it before the page's first tag.
 */
export function toBlockFile(
  blocker: Buffer,
  content: Pick<Content, "cookies">,
  { cdnUrl, http }: Pick<Config, "cdnUrl" | "http">,
): Buffer | undefined {
  const list = toHostList(
    content,
    [http.publicUrl, cdnUrl].map((url) => new URL(url).host),
  );
  if (list.length === 0) return undefined;
  // Also valid within a page's own script element.
  const text = JSON.stringify(list).replaceAll("<", "\\u003c");
  return Buffer.from(blocker.toString().replace(HOSTS, () => text));
}

function listVendors(cookies: PublishedCookies) {
  return [...vendorsOf(cookies).values()];
}

/** Valid addresses in one notation: fields of older documents had no schema. */
function listHosts(hosts: unknown): string[] {
  if (!Array.isArray(hosts)) return [];
  return hosts.flatMap((one) => {
    const [, any = "", name, port = "", path = ""] =
      (typeof one === "string" && hostPattern.exec(one)) || [];
    if (name === undefined) return [];
    return any + name.toLowerCase() + (defaultPorts.has(port) ? "" : port) + path;
  });
}

/** The most specific address first: the longer host, a host before its subdomains, the longer path. */
function compareHosts(a: string, b: string): number {
  const [first, second] = [a, b].map((host) => {
    const [, any = "", name = "", port = "", path = ""] = hostPattern.exec(host) ?? [];
    return [name.length, -any.length, port.length, path.length];
  });
  const at = first?.findIndex((value, index) => value !== second?.[index]) ?? -1;
  return at < 0 ? (a < b ? -1 : 1) : (second?.[at] ?? 0) - (first?.[at] ?? 0);
}
