import type { HostList } from "@avow/contract/published";

export interface Hosts {
  /** Returns the vendors of an address of the page; undefined if the list does not contain it. */
  findVendors: (address: unknown) => readonly string[] | undefined;
  /** Whether a text contains any of the hosts. */
  isMentioned: (text: string) => boolean;
}

export function openHosts(list: HostList): Hosts {
  const names = list.map(([pattern]) => pattern.replace(/^\*\.|[:/].*$/g, ""));
  const rules = list.map(([pattern, ...vendors]) => ({ pattern: toPattern(pattern), vendors }));
  return {
    findVendors(address) {
      const url = toUrl(address);
      if (!url) return undefined;
      const place = url.host + url.pathname;
      return rules.find(({ pattern }) => pattern.test(place))?.vendors;
    },
    isMentioned: (text) => names.some((name) => text.includes(name)),
  };
}

/** `*.` matches the domain and its subdomains. Without a port, every port matches. */
function toPattern(pattern: string): RegExp {
  const [, any, name = "", port = "(:\\d+)?", path = "/"] =
    /^(\*\.)?([^:/]+)(:\d+)?(.+)?$/.exec(pattern) ?? [];
  const prefix = any ? "([^/]+\\.)?" : "";
  return new RegExp(`^${prefix}${escape(name)}${port}${escape(path)}`);
}

function escape(text: string): string {
  return text.replace(/[^\w/:-]/g, "\\$&");
}

function toUrl(address: unknown): URL | undefined {
  try {
    return new URL(String(address), document.baseURI);
  } catch {
    // The browser does not load an invalid address either.
    return undefined;
  }
}
