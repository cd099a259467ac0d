/**
 * Whether a request matches a pattern of a vendor's `hosts`: a host, or `*.` and a domain with its subdomains, then the
 * prefix of a path. The widget's automatic blocking reads them in the same way (`block/hosts.ts`).
 */
export function matchesHost(pattern: string, host: string, path: string): boolean {
  const slash = pattern.indexOf("/");
  const name = (slash < 0 ? pattern : pattern.slice(0, slash)).replace(/:\d+$/, "");
  const prefix = slash < 0 ? "" : pattern.slice(slash);
  const isHost = name.startsWith("*.")
    ? `.${host}`.toLowerCase().endsWith(name.slice(1).toLowerCase())
    : host.toLowerCase() === name.toLowerCase();
  return isHost && path.startsWith(prefix);
}

/** Whether a name matches a pattern in which * stands for any characters. */
export function matchesName(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern === name;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  const last = rest.pop() ?? "";
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
