import { Fault } from "../errors.ts";
import { toShortNetwork } from "../networks.ts";
import { openRate } from "./rate.ts";

const RETRY_SECONDS = 60;

/** A limit of look-ups by a token that are not found, for each network in a minute. What is found is not counted. */
export interface Misses {
  /**
   * Runs a look-up. Undefined, and a not-found error, count as a miss.
   * @throws Fault too-many at the limit, whether or not the token exists; anything that `find` throws
   */
  lookUp<T>(ip: string, find: () => Promise<T>): Promise<T>;
}

/** Opens the limit of this process. */
export function openMisses(perMinuteMax: number): Misses {
  const rate = openRate(perMinuteMax);
  return {
    async lookUp(ip, find) {
      const network = toShortNetwork(ip) ?? "";
      if (rate.isFull(network)) throw tooMany();
      const settled = await settle(find);
      // Concurrent guesses are limited like sequential ones: what ends after the limit is not told either.
      if (settled.isMiss ? !rate.take(network) : rate.isFull(network)) throw tooMany();
      return settled.tell();
    },
  };
}

/** Runs a look-up; `tell` returns its result or throws its error. */
async function settle<T>(find: () => Promise<T>): Promise<{ isMiss: boolean; tell: () => T }> {
  try {
    const found = await find();
    return { isMiss: found === undefined, tell: () => found };
  } catch (error) {
    const isMiss = error instanceof Fault && error.kind === "not-found";
    const tell = (): never => {
      throw error;
    };
    return { isMiss, tell };
  }
}

function tooMany(): Fault {
  const detail = `Too many unknown tokens were looked up from this network. Retry in ${RETRY_SECONDS} seconds.`;
  return new Fault("too-many", detail, { retryAfterSeconds: RETRY_SECONDS });
}
