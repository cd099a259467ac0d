import { createHmac, hkdfSync } from "node:crypto";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { toLoginName } from "../../../kernel/logins.ts";
import { reserveFailure } from "./store.ts";
import { toRefusal } from "../refusals.ts";

const WINDOW_MS = 3_600_000;
/** Mails that are asked for in a window: by one network or user, and to one address (of each inviter). */
const MAILS_MAX = { by: 300, to: 5 };
/** Invitations that one address is mailed in a day, of all inviters together. */
const INVITED = { max: 20, windowMs: 86_400_000 };

export interface Ask {
  what: "reset" | "validation" | "invitation";
  /** A network, or a user's id. */
  by: string;
  to: string;
  now: Date;
}

export interface Asks {
  /**
   * Counts a mail that is asked for; false when enough go to that address already. It counts alike whether the address
   * is known or not, across nodes and restarts.
   *
   * @throws Fault too-many when `by` has asked too often; of invitations also when enough of theirs go to that address
   */
  take(ask: Ask): Promise<boolean>;
  /**
   * Counts an invitation that is mailed to an address, whoever sends it, in the transaction that makes it; false when 20 were mailed there within a day. The
   * invitation is made then, and its token works, but no mail goes out, which who invites is told.
   */
  takeInvited(tx: Tx, mailed: { to: string; now: Date }): Promise<boolean>;
}

/** Opens the limit of mails that others can make the service send; what it stores is keyed by `secret`. */
export function openAsks({ db, secret }: { db: Db; secret: Buffer }): Asks {
  const secretOfKeys = Buffer.from(hkdfSync("sha256", secret, "", "avow mails asked for", 32));
  const toKey = (...parts: string[]): Buffer =>
    createHmac("sha256", secretOfKeys).update(JSON.stringify(parts)).digest();
  return {
    async take({ what, by, to, now }) {
      const asker = toKey("by", what, by);
      const asked = toKey("to", ...toCounted(what, by), toLoginName(to));
      const { counts } = await reserveFailure(db, {
        narrow: { key: asker, max: MAILS_MAX.by },
        wide: { keys: [asked], max: MAILS_MAX.to },
        now,
        expiresAt: new Date(now.getTime() + WINDOW_MS),
      });
      if (!counts.some(({ key }) => key.equals(asker)))
        throw await toRefusal(db, asker, { now, say: sayBy[what] });
      const isRoom = counts.length === 2;
      if (!isRoom && what === "invitation")
        throw await toRefusal(db, asked, { now, say: sayInvited });
      return isRoom;
    },
    async takeInvited(tx, { to, now }) {
      const { counts } = await reserveFailure(tx, {
        narrow: { key: toKey("invited", toLoginName(to)), max: INVITED.max },
        wide: { keys: [], max: 0 },
        now,
        expiresAt: new Date(now.getTime() + INVITED.windowMs),
      });
      return counts.length > 0;
    },
  };
}

const sayBy: Readonly<Record<Ask["what"], (seconds: number) => string>> = {
  reset: (seconds) =>
    `Too many links for new passwords were asked for from your network. Wait ${seconds} seconds before the next.`,
  validation: (seconds) =>
    `You asked for too many mails that confirm your address. Wait ${seconds} seconds before the next.`,
  invitation: (seconds) =>
    `You sent too many invitations. Wait ${seconds} seconds before the next.`,
};
/** Who invites knows how many they sent there; it says nothing of whether somebody has the address. */
const sayInvited = (seconds: number) =>
  `You sent ${MAILS_MAX.to} invitations to this address. Wait ${seconds} seconds before the next.`;

/** An address is invited by many: what one of them sends uses up nobody else's count. */
function toCounted(what: Ask["what"], by: string): string[] {
  return what === "invitation" ? [what, by] : [what];
}
