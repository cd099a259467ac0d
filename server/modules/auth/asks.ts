import { createHmac, hkdfSync } from "node:crypto";
import type { Db } from "../../platform/db/db.ts";
import { toLoginName } from "../../platform/logins.ts";
import { reserveFailure } from "./failures-store.ts";
import { toRefusal } from "./refusals.ts";

const WINDOW_MS = 3_600_000;
/** Mails that are asked for in a window: by one network or user, and to one address (of each inviter). */
const MAILS_MAX = { by: 300, to: 5 };

export interface Ask {
  what: "reset" | "validation" | "invitation";
  /** A network, or a user's id. */
  by: string;
  to: string;
  now: Date;
}

export interface Asks {
  /**
   * Counts a mail that is asked for; false when enough go to that address already (invitations: of the same inviter's). It counts alike
   * whether the address is known or not, across nodes and restarts.
   *
   * @throws Fault too-many when `by` has asked too often
   */
  take(ask: Ask): Promise<boolean>;
}

/** Opens the limit of mails that others can make the service send; what it stores is keyed by `secret`. */
export function openAsks({ db, secret }: { db: Db; secret: Buffer }): Asks {
  const secretOfKeys = Buffer.from(hkdfSync("sha256", secret, "", "avow mails asked for", 32));
  const toKey = (...parts: string[]): Buffer =>
    createHmac("sha256", secretOfKeys).update(JSON.stringify(parts)).digest();
  return {
    async take({ what, by, to, now }) {
      const asker = toKey("by", what, by);
      const { counts } = await reserveFailure(db, {
        narrow: { key: asker, max: MAILS_MAX.by },
        wide: { keys: [toKey("to", ...toCounted(what, by), toLoginName(to))], max: MAILS_MAX.to },
        now,
        expiresAt: new Date(now.getTime() + WINDOW_MS),
      });
      if (!counts.some(({ key }) => key.equals(asker)))
        throw await toRefusal(db, asker, { now, say });
      return counts.length === 2;
    },
  };
}

const say = (seconds: number) => `Too many mails were asked for. Wait ${seconds} seconds.`;

/** An address is invited by many: what one of them sends uses up nobody else's count. */
function toCounted(what: Ask["what"], by: string): string[] {
  return what === "invitation" ? [what, by] : [what];
}
