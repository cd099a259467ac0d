import type { Db, Tx } from "../../../platform/db/db.ts";
import { limits } from "./limits.ts";
import { toNetwork } from "./network.ts";
import { openQueues } from "./queue.ts";
import {
  type Attempt,
  type CountedAttempt,
  type RateLimiter,
  subtractSuccess,
  toFault,
} from "./rate-limiter.ts";
import {
  type AttemptCount,
  isKnownAddress,
  listAttemptCounts,
  putKnownAddress,
  subtractAttempts,
} from "./store.ts";

const KNOWN_ADDRESS_MS = 90 * 86_400_000;
const RENEW_AFTER_MS = 86_400_000;
/** The number of concurrent hashes, which keeps three nodes together under the limit. */
const QUEUE_LIMITS = { runningMax: 3, waitersMax: 100 };

interface SigninAttempt {
  /** A user, or a name without an account. */
  account: ["user" | "name", string];
  ip: string;
  now: Date;
}

interface UserAddress {
  userId: string;
  ip: string;
  now: Date;
}

/** The limit of failed sign-ins (wire section 1). */
export interface SigninAttempts {
  /**
   * Runs the check of a password or a code, which returns undefined when it fails, unless too many checks failed recently
   * for this account at this address. The limits of the address and of the account anywhere apply too, except at an
   * address where the account signed in before: failures of others lock nobody out there. Each check is counted as a
   * failure before it is made and subtracted when it succeeds, so that concurrent guesses are limited like sequential
   * ones, and beyond the limit a correct guess is not revealed.
   *
   * @throws Fault too-many, with the seconds to wait; anything that `check` throws, with nothing counted
   */
  countCheck<T>(
    attempt: SigninAttempt,
    check: () => Promise<T | undefined>,
  ): Promise<T | undefined>;
  /**
   * The same for a code of an authenticator app, with a limit of wrong codes an hour from any address, which a correct
   * password does not clear. Codes from a known address are counted separately, so that an attacker with the password
   * does not lock the owner out.
   *
   * @throws Fault too-many, with the seconds to wait
   */
  countCode<T>(at: UserAddress, check: () => Promise<T | undefined>): Promise<T | undefined>;
  /** Remembers the address of a sign-in without a checked password: sign-up, reset or provider. */
  rememberAddress(db: Db | Tx, at: UserAddress): Promise<void>;
}

export function openSigninAttempts({
  db,
  limiter,
}: {
  db: Db;
  limiter: RateLimiter;
}): SigninAttempts {
  const enqueue = openQueues(QUEUE_LIMITS);
  const underWay = openCounters();

  /** Counts a failure ahead; undefined, with nothing counted, when a limit is reached. */
  async function countAhead([own, ...others]: Attempts): Promise<CountedAttempt[] | undefined> {
    const ownCount = await limiter.tryCount(own);
    if (!ownCount) return undefined;
    const counted = [ownCount];
    // At a known address the other limits do not apply, which must not be revealed by the time.
    try {
      const isSkipped = await isKnownAddress(db, ownCount.key, own.now);
      for (const other of others) {
        const count = await limiter.tryCount({ ...other, isSkipped });
        if (count) counted.push(count);
        else if (!isSkipped) {
          await subtractOnce(counted);
          return undefined;
        }
      }
      return counted;
    } catch (error) {
      // No check was made, so none counts as failed.
      await subtractOnce(counted);
      throw error;
    }
  }

  async function subtractOnce(counted: CountedAttempt[]): Promise<void> {
    for (const one of counted) await subtractAttempts(db, { ...one, count: 1 });
  }

  /** Runs the check; a failure stays counted. */
  async function settle<T>(
    counted: CountedAttempt[],
    now: Date,
    check: () => Promise<T | undefined>,
  ): Promise<{ result: T | undefined }> {
    const result = await check().catch(async (error: unknown) => {
      await subtractOnce(counted);
      throw error;
    });
    if (result === undefined) return { result };
    for (const one of counted) await subtractSuccess(db, one);
    const [own] = counted;
    if (own) await remember(db, own.key, now);
    return { result };
  }

  /** The error at a limit. One second is enough when only running checks fill it. */
  async function toLimitFault([own, ...others]: Attempts) {
    const counts = await listAttemptCounts(
      db,
      [own, ...others].map((attempt) => limiter.toKey(attempt)),
      own.now,
    );
    const findEnds = (attempts: Attempt[]): number[] =>
      attempts.flatMap((attempt) => {
        const count = counts.find(({ key }) => key.equals(limiter.toKey(attempt)));
        const isOver = count && count.count - underWay.get(count.key) >= limits[attempt.limit].max;
        return isOver ? [count.expiresAt.getTime()] : [];
      });
    // At a known address the other limits may be reached, but do not apply.
    const ownEnds = findEnds([own]);
    const endsAt = Math.max(0, ...(ownEnds.length > 0 ? ownEnds : findEnds(others)));
    return toFault(own, new Date(endsAt));
  }

  return {
    async countCheck(attempt, check) {
      const attempts = toAttempts(attempt);
      const settled = await enqueue(limiter.toKey(attempts[0]).toString("hex"), {
        acquire: () => countAhead(attempts),
        run: (counted) => underWay.during(counted, () => settle(counted, attempt.now, check)),
      });
      if (!settled) throw await toLimitFault(attempts);
      return settled.result;
    },
    async countCode({ userId, ip, now }, check) {
      const own = limiter.toKey(toAttempts({ account: ["user", userId], ip, now })[0]);
      const address = (await isKnownAddress(db, own, now)) ? [own.toString("hex")] : [];
      return limiter.countFailure({ limit: "codes", key: [userId, ...address], now }, check);
    },
    rememberAddress: (on, { userId, ip, now }) =>
      remember(on, limiter.toKey(toAttempts({ account: ["user", userId], ip, now })[0]), now),
  };
}

/** The attempts of the account at the address, of the address, and of the account anywhere. */
type Attempts = [Attempt, ...Attempt[]];

function toAttempts({ account, ip, now }: SigninAttempt): Attempts {
  const network = toNetwork(ip);
  return [
    { limit: "account at address", key: [...account, network], now },
    { limit: "address", key: [network], now },
    { limit: "account", key: account, now },
  ];
}

async function remember(on: Db | Tx, key: Buffer, now: Date): Promise<void> {
  const expiresAt = new Date(now.getTime() + KNOWN_ADDRESS_MS);
  if (await isKnownAddress(on, key, new Date(expiresAt.getTime() - RENEW_AFTER_MS))) return;
  await putKnownAddress(on, key, expiresAt);
}

/** Counts the running work of this process by key. */
function openCounters() {
  const counts = new Map<string, number>();
  const add = (keys: readonly string[], by: number): void => {
    for (const key of keys) {
      const count = (counts.get(key) ?? 0) + by;
      if (count > 0) counts.set(key, count);
      else counts.delete(key);
    }
  };
  return {
    get: (key: Buffer): number => counts.get(key.toString("hex")) ?? 0,
    async during<T>(counted: readonly AttemptCount[], work: () => Promise<T>): Promise<T> {
      const keys = counted.map(({ key }) => key.toString("hex"));
      add(keys, 1);
      try {
        return await work();
      } finally {
        add(keys, -1);
      }
    },
  };
}
