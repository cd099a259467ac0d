import { isIP, isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

const IPV6_GROUPS = 3;
const withPort = /^(?:\[(.+)\]|([\d.]+))(?::\d+)?$/;

/**
 * The IP address of a client: without the port that some balancers append in `X-Forwarded-For`, and IPv4 if it is
 * mapped into IPv6. Anything else is returned unchanged.
 */
export function toAddress(ip: string): string {
  if (isIPv4(ip)) return ip;
  const [, v6, v4] = withPort.exec(ip) ?? [];
  const bare = v6 ?? v4 ?? ip;
  if (!ipaddr.IPv6.isValid(bare)) return isIP(bare) > 0 ? bare : ip;
  const parsed = ipaddr.IPv6.parse(bare);
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : bare;
}

/** Whether the host of a URL, or an address to listen on, is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  const address = toAddress(host);
  if (isIP(address) === 0) return host.toLowerCase() === "localhost";
  return ipaddr.parse(address).range() === "loopback";
}

/**
 * Shortens an address so that it no longer identifies a household: an IPv4 /24 or an IPv6 /48, which data protection
 * authorities accept as shortened. Undefined for anything else than an IP address.
 */
export function toShortNetwork(ip: string | undefined): string | undefined {
  const given = toAddress(ip ?? "");
  if (isIPv4(given)) return `${given.split(".").slice(0, 3).join(".")}.0/24`;
  if (!isIPv6(given)) return undefined;
  const [head = "", tail] = (given.split("%", 1)[0] ?? "").split("::");
  const before = head === "" ? [] : head.split(":");
  // "::" stands for at least one group of zeros.
  const groups = tail === undefined ? before : [...before, "0", "0", "0"];
  return `${groups.slice(0, IPV6_GROUPS).join(":").toLowerCase()}::/48`;
}
