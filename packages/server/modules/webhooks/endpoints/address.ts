import { Fault } from "../../../platform/errors.ts";
import { type LookupAll, lookupAll } from "../../../platform/outbound/lookup.ts";
import { type Network, addressOf, mayCall } from "../../../platform/outbound/networks.ts";

const LOOKUP_MS_MAX = 3_000;
/** Names of the local network: RFC 6761, RFC 6762, ICANN's .internal. */
const localName =
  /^[^.]+\.?$|\.(localhost|local|internal|intranet|lan|home\.arpa|onion|test|invalid)\.?$/i;

interface AddressOptions {
  allowed: readonly Network[];
  lookup?: LookupAll | undefined;
}

/**
 * Parses the address of an endpoint: https on the public internet, or any scheme within the networks that the operator
 * allows; no user and password. Names unknown to DNS are accepted, since every connection checks again.
 * @throws Fault invalid
 */
export async function readAddress(text: string, options: AddressOptions): Promise<URL> {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw toFault("must be an https address");
  if (url.username !== "" || url.password !== "")
    throw toFault("must have no user name and no password in it; use `headers`");
  const own = addressOf(url);
  const addresses = own === undefined ? await lookUp(url.hostname, options.lookup) : [own];
  const isForbidden = addresses.some((address) => !mayCall(url, address, options.allowed));
  const isUnknown = addresses.length === 0;
  if (url.protocol === "http:" && (isForbidden || isUnknown))
    throw toFault("must be an https address");
  if (isForbidden || (isUnknown && localName.test(url.hostname)))
    throw toFault("must lead to the public internet");
  url.hash = "";
  return url;
}

function toFault(message: string): Fault {
  return new Fault("invalid", `/url: ${message}`, { faults: [{ path: "/url", message }] });
}

/** Empty where DNS knows none, or does not answer in time. */
async function lookUp(hostname: string, lookup: LookupAll = lookupAll): Promise<string[]> {
  const { promise, resolve } = Promise.withResolvers<string[]>();
  const timer = setTimeout(() => resolve([]), LOOKUP_MS_MAX);
  lookup(hostname, (error, addresses) =>
    resolve(error ? [] : addresses.map(({ address }) => address)),
  );
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
