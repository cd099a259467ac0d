import { isIPv6 } from "node:net";
import { toAddress } from "../../../platform/networks.ts";

const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * The network of an IP address for rate limits: an IPv4 address itself, or the /64 of an IPv6 address, since a subscriber
 * has all of it. Anything else (a socket's path) is returned unchanged.
 */
export function toNetwork(ip: string): string {
  const address = toAddress(ip);
  if (!isIPv6(address)) return address;
  const [head = "", tail] = (address.split("%", 1)[0] ?? "").split("::");
  const before = toGroups(head);
  const after = toGroups(tail ?? "");
  const zeros = tail === undefined ? 0 : GROUPS - before.length - after.length;
  const groups = [...before, ...Array.from({ length: zeros }, () => 0), ...after];
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${network.join(":")}::/64`;
}

/** The 16-bit groups of a part of an IPv6 address; a dotted end is two groups. */
function toGroups(part: string): number[] {
  if (part === "") return [];
  return part
    .split(":")
    .flatMap((group) => (group.includes(".") ? [0, 0] : [Number.parseInt(group, 16)]));
}
