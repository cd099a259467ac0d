import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** A CIDR block that an operator lets requests into. */
export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Public by its number, yet it answers with a virtual machine's secrets: Azure's wire server. */
const metadataAddresses = new Set(["168.63.129.16"]);

/** All that IANA has given out of IPv6 (RFC 4291 section 2.4). */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/** A block as `10.0.0.0/8`, or one address; undefined for anything else. */
export function toNetwork(text: string): Network | undefined {
  const [address = "", bits] = text.split("/");
  const version = isIP(address);
  if (version === 0 || address.includes("%")) return undefined;
  const range = bits === undefined ? `${address}/${version === 4 ? 32 : 128}` : text;
  return ipaddr.isValidCIDR(range) ? ipaddr.parseCIDR(range) : undefined;
}

/** Whether an address lies in one of these blocks. An IPv4-mapped one does not lie in an IPv4 block. */
function isIn(networks: readonly Network[], address: string): boolean {
  const parsed = ipaddr.parse(address);
  return networks.some(([base, bits]) => {
    // Of two kinds, `match` would throw.
    if (parsed instanceof ipaddr.IPv4)
      return base instanceof ipaddr.IPv4 && parsed.match([base, bits]);
    return base instanceof ipaddr.IPv6 && parsed.match([base, bits]);
  });
}

/** The address that is written out in a URL's host; undefined for a name. */
export function addressOf(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return isIP(host) > 0 ? host : undefined;
}

/** Whether a request to `url` may go to an address that it stands for: over plain http to allowed networks only. */
export function mayCall(url: URL, address: string, allowed: readonly Network[]): boolean {
  return url.protocol === "https:" ? mayReach(address, allowed) : isIn(allowed, address);
}

/**
 * Whether requests on behalf of others may go to an address: it is of the public internet by the
 * registries of special addresses (RFC 6890), or the operator has allowed its network. What carries an
 * IPv4 address inside (mapped, 6to4, Teredo, NAT64) is none of the public internet.
 */
function mayReach(address: string, allowed: readonly Network[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  if (isIn(allowed, address)) return true;
  const parsed = ipaddr.parse(address);
  // What the library knows no range for is not public for that: `::7f00:1` is IPv4's loopback, written anew.
  const isGlobal = parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
  return isGlobal && parsed.range() === "unicast" && !metadataAddresses.has(address);
}
