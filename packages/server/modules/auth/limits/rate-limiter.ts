import { createHmac, hkdfSync } from "node:crypto";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { type Limit, type LimitName, limits } from "./limits.ts";
import { type AttemptCount, countAttempt, listAttemptCounts, subtractAttempts } from "./store.ts";

export interface Attempt {
  limit: LimitName;
  /** The account, network or address that the limit is for. */
  key: readonly string[];
  now: Date;
  /** Whether this attempt is exempt: it is not counted, but takes as long. */
  isSkipped?: boolean;
}

export type CountedAttempt = AttemptCount & { limit: LimitName };

/** Rate limits shared by all nodes: attempts are counted in PostgreSQL, under keyed hashes. */
export interface RateLimiter {
  /** Counts an attempt, optionally in `tx`; undefined, with nothing counted, at the limit. */
  tryCount(attempt: Attempt, tx?: Tx): Promise<CountedAttempt | undefined>;
  /** Counts an attempt. @throws Fault too-many, with the seconds to wait */
  count(attempt: Attempt): Promise<CountedAttempt>;
  /**
   * Counts failures, which are attempts that return undefined. Each attempt is counted before it is made and subtracted
   * when it succeeds, so that concurrent attempts are limited like sequential ones.
   *
   * @throws Fault too-many, with nothing attempted; anything that `make` throws, counted as a failure
   */
  countFailure<T>(attempt: Attempt, make: () => Promise<T | undefined>): Promise<T | undefined>;
  /** The stored key of an attempt, from which neither addresses nor names can be guessed without the secret. */
  toKey(attempt: Pick<Attempt, "limit" | "key">): Buffer;
}

/** Opens the rate limiter; its stored keys are keyed by `secret`. */
export function openRateLimiter({
  db,
  secret,
  signupsPerHourMax,
}: {
  db: Db;
  secret: Buffer;
  signupsPerHourMax: number;
}): RateLimiter {
  const secretOfKeys = Buffer.from(hkdfSync("sha256", secret, "", "avow failed sign-ins", 32));
  const toLimit = (name: LimitName): Limit =>
    name === "sign-ups by network" ? { ...limits[name], max: signupsPerHourMax } : limits[name];
  const toKey: RateLimiter["toKey"] = ({ limit, key }) =>
    createHmac("sha256", secretOfKeys)
      .update(JSON.stringify([limit, ...key]))
      .digest();
  const tryCount: RateLimiter["tryCount"] = async (attempt, tx) => {
    const { limit, now, isSkipped = false } = attempt;
    const { max, windowMs } = toLimit(limit);
    const expiresAt = new Date(now.getTime() + windowMs);
    const counted = await countAttempt(tx ?? db, {
      key: toKey(attempt),
      max,
      now,
      expiresAt,
      isSkipped,
    });
    return counted && { ...counted, limit };
  };
  const count: RateLimiter["count"] = async (attempt) => {
    const counted = await tryCount(attempt);
    if (counted) return counted;
    const [full] = await listAttemptCounts(db, [toKey(attempt)], attempt.now);
    throw toFault(attempt, full?.expiresAt);
  };
  return {
    toKey,
    tryCount,
    count,
    async countFailure(attempt, make) {
      const counted = await count(attempt);
      const result = await make();
      if (result !== undefined) await subtractSuccess(db, counted);
      return result;
    },
  };
}

/** Subtracts a successful attempt and, if `isClearedBySuccess`, the failures before it. */
export function subtractSuccess(db: Db, counted: CountedAttempt): Promise<void> {
  const { isClearedBySuccess }: Limit = limits[counted.limit];
  return subtractAttempts(db, isClearedBySuccess ? counted : { ...counted, count: 1 });
}

/** The error at a limit whose window ends at `endsAt`; without it one second is enough. */
export function toFault({ limit, now }: Attempt, endsAt: Date | undefined): Fault {
  const { error = "Too many attempts." }: Limit = limits[limit];
  const leftMs = (endsAt?.getTime() ?? 0) - now.getTime();
  const retryAfterSeconds = Math.max(1, Math.ceil(leftMs / 1_000));
  const detail = `${error} Wait ${retryAfterSeconds} seconds before the next.`;
  return new Fault("too-many", detail, { retryAfterSeconds });
}
