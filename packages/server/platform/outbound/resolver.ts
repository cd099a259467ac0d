import type { LookupAddress } from "node:dns";
import { isIP } from "node:net";
import { ForbiddenAddressError } from "@avow/scanner/errors";
import type { Resolve } from "@avow/scanner";
import { type LookupAll, openLookup } from "./lookup.ts";
import { type Network, mayReach } from "./networks.ts";

interface ResolverOptions {
  allowed: readonly Network[];
  /** A host that may have any address: what an operator scans from their own machine. */
  ownHost?: string;
  lookup?: LookupAll;
}

/**
 * Opens the resolver of a scan, with the same rule as for webhooks: addresses are public, or of a network that the
 * operator allows. A name with one forbidden address is rejected.
 */
export function openResolver({
  allowed,
  ownHost,
  lookup = openLookup(),
}: ResolverOptions): Resolve {
  return async (host, port) => {
    const addresses = isIP(host) > 0 ? [host] : await lookUp(host, lookup);
    if (addresses.length === 0) throw new Error(`${host} has no address.`);
    if (host !== ownHost && !addresses.every((address) => mayReach(address, allowed)))
      throw new ForbiddenAddressError(`The address of ${host} is not public.`);
    return { addresses, port };
  };
}

async function lookUp(host: string, lookup: LookupAll): Promise<string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<LookupAddress[]>();
  lookup(host, (error, found) => (error ? reject(error) : resolve(found)));
  // Without a race of both families, the one that works nearly everywhere is first.
  const found = (await promise).toSorted((a, b) => a.family - b.family);
  return found.map(({ address }) => address);
}
