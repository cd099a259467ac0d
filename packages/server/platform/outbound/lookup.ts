import { type LookupAddress, Resolver, lookup as lookupSystem } from "node:dns";
import type { LookupFunction } from "node:net";

/** Looks up all addresses of a name, as `dns.lookup` with `all`. */
export type LookupAll = (
  hostname: string,
  answer: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** Uses the system's resolver. */
export const lookupAll: LookupAll = (hostname, answer) =>
  lookupSystem(hostname, { all: true }, (error, addresses) => answer(error, addresses ?? []));

/** Timeout of one query to one name server. */
const TIMEOUT_MS = 1_000;
const TRIES = 2;
/** Maximum number of names in pending lookups. */
const PENDING_MAX = 1_024;
/** Each occupies one of the process's four threads, which files and passwords share. */
const SYSTEM_MAX = 1;
const SYSTEM_WAITING_MAX = 256;

/** A failed or timed out lookup, with a `code` as of `dns.lookup`. */
class LookupError extends Error {
  override readonly name = "LookupError";
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

interface LookupOptions {
  /** Name servers as `address:port`. Default: the system's. */
  servers?: readonly string[];
  system?: LookupAll;
}

/**
 * Opens a lookup that queries name servers directly, so that silent servers occupy no thread and time out after three
 * seconds. A name that they do not know may be in the hosts file, so the system's resolver is queried, for one
 * name at a time.
 */
export function openLookup({ servers, system = lookupAll }: LookupOptions = {}): LookupAll {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const lookUpInSystem = oneAtATime(system);
  const pending = new Map<string, Parameters<LookupAll>[1][]>();
  return (hostname, answer) => {
    const others = pending.get(hostname);
    if (others) return void others.push(answer);
    if (pending.size >= PENDING_MAX) return answer(new LookupError("EAI_AGAIN"), []);
    pending.set(hostname, [answer]);
    const end: typeof answer = (error, addresses) => {
      const all = pending.get(hostname) ?? [];
      pending.delete(hostname);
      for (const one of all) one(error, addresses);
    };
    resolveBoth(resolver, hostname, (error, addresses) => {
      if (addresses.length > 0) return end(null, addresses);
      if (error) return end(error, []);
      lookUpInSystem(hostname, end);
    });
  };
}

/** Resolves addresses of both families. An unknown name is an empty result without an error. */
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

/** The address is not allowed. The message contains no address, since it may be shown to an untrusted user. */
export class UnreachableAddressError extends Error {
  override readonly name = "UnreachableAddressError";
  readonly code = "EADDRREFUSED";

  constructor() {
    super("its address is not of the public internet");
  }
}

/**
 * A lookup for connections to allowed addresses only. The checked address is the one that is connected to, which
 * prevents DNS rebinding. A name with one forbidden address is rejected. Sockets do not call it for literal
 * addresses.
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
