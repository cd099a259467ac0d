import { Fault } from "../errors.ts";
import { toShortNetwork } from "../networks.ts";
import type { OpenRate } from "./rate.ts";

const RETRY_SECONDS = 60;

/** A limit of look-ups of unknown tokens, for each network in a minute. Successful look-ups are not counted. */
export interface Misses {
  /**
   * Runs a look-up. Undefined, and a not-found error, count as a miss.
   * @throws Fault too-many at the limit, whether or not the token exists; anything that `find` throws
   */
  lookUp<T>(ip: string, find: () => Promise<T>): Promise<T>;
}

/** Opens the limit. */
export function openMisses(openRate: OpenRate, perMinuteMax: number): Misses {
  const rate = openRate("visitor misses", perMinuteMax);
  return {
    async lookUp(ip, find) {
      const network = toShortNetwork(ip) ?? "";
      if (rate.isFull(network)) throw tooMany();
      const settled = await settle(find);
      // Concurrent guesses are limited like sequential ones: a result after the limit is not returned either.
      if (settled.isMiss ? !rate.take(network) : rate.isFull(network)) throw tooMany();
      return settled.unwrap();
    },
  };
}

/** Runs a look-up; `unwrap` returns its result or throws its error. */
async function settle<T>(find: () => Promise<T>): Promise<{ isMiss: boolean; unwrap: () => T }> {
  try {
    const found = await find();
    return { isMiss: found === undefined, unwrap: () => found };
  } catch (error) {
    const isMiss = error instanceof Fault && error.kind === "not-found";
    const unwrap = (): never => {
      throw error;
    };
    return { isMiss, unwrap };
  }
}

function tooMany(): Fault {
  const detail = `Too many unknown tokens were looked up from this network. Retry in ${RETRY_SECONDS} seconds.`;
  return new Fault("too-many", detail, { retryAfterSeconds: RETRY_SECONDS });
}
