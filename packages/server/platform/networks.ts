import { isIPv4, isIPv6 } from "node:net";

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const IPV6_GROUPS = 3;

/**
 * Shortens an address so that it no longer identifies a household: an IPv4 /24 or an IPv6 /48, which data protection
 * authorities accept as shortened. Undefined for anything else than an IP address.
 */
export function toShortNetwork(ip: string | undefined): string | undefined {
  const given = ip ?? "";
  const v4 = mapped.exec(given)?.[1] ?? given;
  if (isIPv4(v4)) return `${v4.split(".").slice(0, 3).join(".")}.0/24`;
  if (!isIPv6(given)) return undefined;
  const [head = "", tail] = (given.split("%", 1)[0] ?? "").split("::");
  const before = head === "" ? [] : head.split(":");
  // "::" stands for at least one group of zeros.
  const groups = tail === undefined ? before : [...before, "0", "0", "0"];
  return `${groups.slice(0, IPV6_GROUPS).join(":").toLowerCase()}::/48`;
}
