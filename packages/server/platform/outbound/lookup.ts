import { type LookupAddress, Resolver, lookup as lookupSystem } from "node:dns";
import type { LookupFunction } from "node:net";

/** Asks for every address of a name, as `dns.lookup` with `all`. */
export type LookupAll = (
  hostname: string,
  answer: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** By the system's resolver. */
export const lookupAll: LookupAll = (hostname, answer) =>
  lookupSystem(hostname, { all: true }, (error, addresses) => answer(error, addresses ?? []));

/** Of one question to one name server; it is asked twice. */
const TIMEOUT_MS = 1_000;
const TRIES = 2;
/** Names that are asked for at a time. */
const ASKED_MAX = 1_024;
/** Each holds one of the four threads of the process, on which files and passwords wait as well. */
const SYSTEM_MAX = 1;
const SYSTEM_WAITING_MAX = 256;

/** DNS has no answer, in time or at all; `code` is as that of `dns.lookup`. */
class LookupError extends Error {
  override readonly name = "LookupError";
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

interface LookupOptions {
  /** Name servers, each as `address:port`; the system's where nothing is said. */
  servers?: readonly string[];
  system?: LookupAll;
}

/**
 * Opens a lookup that asks the name servers itself, so that names whose servers are silent hold no thread and end
 * after three seconds. A name that they do not know may be of the system's own, such as of its hosts file: that is
 * asked, for one name at a time.
 */
export function openLookup({ servers, system = lookupAll }: LookupOptions = {}): LookupAll {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const askSystem = oneAtATime(system);
  const asked = new Map<string, Parameters<LookupAll>[1][]>();
  return (hostname, answer) => {
    const others = asked.get(hostname);
    if (others) return void others.push(answer);
    if (asked.size >= ASKED_MAX) return answer(new LookupError("EAI_AGAIN"), []);
    asked.set(hostname, [answer]);
    const end: typeof answer = (error, addresses) => {
      const all = asked.get(hostname) ?? [];
      asked.delete(hostname);
      for (const one of all) one(error, addresses);
    };
    resolveBoth(resolver, hostname, (error, addresses) => {
      if (addresses.length > 0) return end(null, addresses);
      if (error) return end(error, []);
      askSystem(hostname, end);
    });
  };
}

/** Addresses of both families; none without an error where there are none. */
function resolveBoth(resolver: Resolver, hostname: string, answer: Parameters<LookupAll>[1]): void {
  const found: LookupAddress[] = [];
  let failed: Error | null = null;
  let left = 2;
  const take = (family: 4 | 6) => (error: NodeJS.ErrnoException | null, addresses: string[]) => {
    const isNone = error?.code === "ENOTFOUND" || error?.code === "ENODATA";
    if (error && !isNone) failed ??= new LookupError("EAI_AGAIN");
    if (!error) found.push(...addresses.map((address) => ({ address, family })));
    left -= 1;
    if (left === 0) answer(failed, found);
  };
  resolver.resolve4(hostname, take(4));
  resolver.resolve6(hostname, take(6));
}

function oneAtATime(ask: LookupAll): LookupAll {
  const waiting: (() => void)[] = [];
  let running = 0;
  return (hostname, answer) => {
    const run = (): void => {
      running += 1;
      ask(hostname, (error, addresses) => {
        running -= 1;
        waiting.shift()?.();
        answer(error, addresses);
      });
    };
    if (running < SYSTEM_MAX) return run();
    if (waiting.length >= SYSTEM_WAITING_MAX) return answer(new LookupError("EAI_AGAIN"), []);
    waiting.push(run);
  };
}

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
