import { createHmac, hkdfSync } from "node:crypto";
import type { Db } from "../../platform/db/db.ts";
import { reserveFailure, subtractFailures } from "./limits/store.ts";
import { toRefusal } from "./refusals.ts";

const WINDOW_MS = 3_600_000;
const MISSES_MAX = 100;

export interface Lookups {
  /**
   * Looks somebody up by an address for a user, which tells who has an account here. One that finds nobody counts,
   * 100 in an hour, across nodes and restarts; beyond that nobody is looked up, so that finding somebody tells
   * nothing either. Counted before, and taken back when it found somebody: many at once are limited alike.
   *
   * @throws Fault too-many, with the seconds to wait
   */
  find<T>(
    asked: { by: string; now: Date },
    look: () => Promise<T | undefined>,
  ): Promise<T | undefined>;
}

/** Opens the limit of look-ups by address; what it stores is keyed by `secret`. */
export function openLookups({ db, secret }: { db: Db; secret: Buffer }): Lookups {
  const secretOfKeys = Buffer.from(hkdfSync("sha256", secret, "", "avow look-ups by address", 32));
  return {
    async find({ by, now }, look) {
      const key = createHmac("sha256", secretOfKeys).update(by).digest();
      const { counts } = await reserveFailure(db, {
        narrow: { key, max: MISSES_MAX },
        wide: { keys: [], max: 0 },
        now,
        expiresAt: new Date(now.getTime() + WINDOW_MS),
      });
      const [count] = counts;
      if (!count) throw await toRefusal(db, key, { now, say });
      const found = await look();
      if (found !== undefined) await subtractFailures(db, { ...count, failures: 1 });
      return found;
    },
  };
}

const say = (seconds: number) =>
  `Too many addresses that you gave belong to nobody here. Wait ${seconds} seconds, or invite people.`;
