import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** A CIDR block that the operator allows requests to. */
export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Azure's wire server: a public address that serves a virtual machine's secrets. */
const metadataAddresses = new Set(["168.63.129.16"]);

/** Global unicast addresses of IPv6 that IANA has allocated (RFC 4291 section 2.4). */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/** Parses a block such as `10.0.0.0/8`, or one address. */
export function toNetwork(text: string): Network | undefined {
  const [address = "", bits] = text.split("/");
  const version = isIP(address);
  if (version === 0 || address.includes("%")) return undefined;
  const range = bits === undefined ? `${address}/${version === 4 ? 32 : 128}` : text;
  return ipaddr.isValidCIDR(range) ? ipaddr.parseCIDR(range) : undefined;
}

/** An IPv4-mapped address is in no IPv4 block. */
function isIn(networks: readonly Network[], address: string): boolean {
  const parsed = ipaddr.parse(address);
  return networks.some(([base, bits]) => {
    // `match` throws for different families.
    if (parsed instanceof ipaddr.IPv4)
      return base instanceof ipaddr.IPv4 && parsed.match([base, bits]);
    return base instanceof ipaddr.IPv6 && parsed.match([base, bits]);
  });
}

/** The literal address in a URL's host; undefined for a name. */
export function addressOf(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return isIP(host) > 0 ? host : undefined;
}

/** Whether a request to `url` may connect to this address. Plain http is limited to allowed networks. */
export function mayCall(url: URL, address: string, allowed: readonly Network[]): boolean {
  return url.protocol === "https:" ? mayReach(address, allowed) : isIn(allowed, address);
}

/**
 * Whether requests on behalf of users may connect to an address: it is public by the registries of special addresses
 * (RFC 6890), or the operator has allowed its network. Addresses that embed an IPv4 address (mapped, 6to4,
 * Teredo, NAT64) are not public.
 */
export function mayReach(address: string, allowed: readonly Network[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  if (isIn(allowed, address)) return true;
  const parsed = ipaddr.parse(address);
  // Addresses outside known ranges are not public by default: `::7f00:1` is IPv4's loopback in another notation.
  const isGlobal = parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
  return isGlobal && parsed.range() === "unicast" && !metadataAddresses.has(address);
}
