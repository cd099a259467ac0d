import { type LookupAddress, lookup as lookupSystem } from "node:dns";
import type { LookupFunction } from "node:net";

/** Asks for every address of a name, as `dns.lookup` with `all`. */
export type LookupAll = (
  hostname: string,
  answer: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** By the system's resolver. */
export const lookupAll: LookupAll = (hostname, answer) =>
  lookupSystem(hostname, { all: true }, (error, addresses) => answer(error, addresses ?? []));

/** The address that was asked for must not be reached. Its message names no address: it may be told to a stranger. */
export class UnreachableAddressError extends Error {
  override readonly name = "UnreachableAddressError";
  readonly code = "EADDRREFUSED";

  constructor() {
    super("its address is not of the public internet");
  }
}

/**
 * The lookup of a connection that may go only where `isAllowed` says: what is checked is what is connected
 * to, so that a name which changes between two questions (DNS rebinding) gains nothing. A name with one
 * forbidden address is refused whole. Sockets ask no lookup for an address that is written out.
 */
export function guardLookup(
  isAllowed: (address: string) => boolean,
  ask: LookupAll = lookupAll,
): LookupFunction {
  return (hostname, options, answer) => {
    ask(hostname, (error, addresses) => {
      const [first] = addresses;
      if (error || !first) return answer(error ?? new Error(`${hostname} has no address`), []);
      if (!addresses.every(({ address }) => isAllowed(address)))
        return answer(new UnreachableAddressError(), []);
      if (options.all) return answer(null, addresses);
      answer(null, first.address, first.family);
    });
  };
}
