import { createHmac, hkdfSync } from "node:crypto";
import type { Db } from "../../../platform/db/db.ts";
import { reserveFailure } from "./store.ts";
import { toRefusal } from "../refusals.ts";

const WINDOW_MS = 3_600_000;

export interface Signups {
  /**
   * Counts a sign-up that a network asks for, across nodes and restarts, whether or not it will succeed: each costs a
   * hash, and one that succeeds a mail.
   *
   * @throws Fault too-many, with the seconds to wait
   */
  take(asked: { network: string; now: Date }): Promise<void>;
}

/** Opens the limit of sign-ups, `perHourMax` of a network; what it stores is keyed by `secret`. */
export function openSignups({
  db,
  secret,
  perHourMax,
}: {
  db: Db;
  secret: Buffer;
  perHourMax: number;
}): Signups {
  const secretOfKeys = Buffer.from(hkdfSync("sha256", secret, "", "avow sign-ups", 32));
  return {
    async take({ network, now }) {
      const key = createHmac("sha256", secretOfKeys).update(network).digest();
      const { counts } = await reserveFailure(db, {
        narrow: { key, max: perHourMax },
        wide: { keys: [], max: 0 },
        now,
        expiresAt: new Date(now.getTime() + WINDOW_MS),
      });
      if (counts.length > 0) return;
      throw await toRefusal(db, key, { now, say });
    },
  };
}

const say = (seconds: number) =>
  `Too many accounts were asked for from your network. Wait ${seconds} seconds before the next.`;
