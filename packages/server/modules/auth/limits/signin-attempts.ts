import { createHmac, hkdfSync } from "node:crypto";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import {
  type FailureCount,
  type Reservation,
  isKnownAddress,
  keepAddress,
  listFailures,
  reserveFailure,
  subtractFailures,
} from "./store.ts";
import { openLines } from "./queue.ts";
import { toNetwork } from "./network.ts";
import { toRefusal as toRefusalOf } from "../refusals.ts";

const WINDOW_MS = 15 * 60_000;
const KNOWN_ADDRESS_MS = 90 * 86_400_000;
const REMEMBER_AGAIN_MS = 86_400_000;
/** Of second factors: who guesses them has the password already, or a session, so few are enough. */
const CODES = { wrongMax: 10, windowMs: 3_600_000 };
/** As many as are hashed at once, and few enough that three nodes together stay under the limit. */
const LINE_LIMITS = { runningMax: 3, waitingMax: 100 };

/** Failures in a window after which sign-in waits for its end: of an account at an address; of either. */
const FAILURES_MAX = { narrow: 10, wide: 100 };

export interface Attempt {
  /** A user, or a name that nobody has. */
  account: ["user" | "name", string];
  ip: string;
  now: Date;
}

/** What failed sign-ins are counted under. Addresses are personal data, so keys tell nothing without the secret. */
interface Keys {
  /** The account at the address. */
  narrow: Buffer;
  /** The address, and the account anywhere. */
  wide: Buffer[];
}

export interface Attempts {
  /**
   * Lets a password be checked where few checks failed lately for this account at this address and,
   * unless the account signed in there before, from this address or for this account anywhere: so
   * nobody is locked out by what others do (wire section 1). Each check is counted as a failure
   * before it is made, and taken back when it was right, so that guesses sent at once are limited
   * like those sent one by one, and beyond the limit a right one is told by nothing.
   *
   * @throws Fault too-many, with the seconds to wait; whatever `check` throws, counting nothing
   */
  checkOnce(attempt: Attempt, check: () => Promise<boolean>): Promise<boolean>;
  /**
   * Lets a code of an authenticator app be checked where few were wrong in the last hour, wherever they came from: a
   * right password forgets no wrong codes. Where the account signed in before, its codes are counted apart, so that who
   * has the password does not lock its owner out there. Counted before, and taken back when it was right, as passwords are.
   *
   * @throws Fault too-many, with the seconds to wait
   */
  checkCode(
    at: { userId: string; ip: string; now: Date },
    check: () => Promise<boolean>,
  ): Promise<boolean>;
  /**
   * Remembers where a user came in without a password that was checked: by signing up, a reset or a provider. What
   * others fail at elsewhere does not lock them out there.
   */
  remember(db: Db | Tx, at: { userId: string; ip: string; now: Date }): Promise<void>;
}

/** Opens the limit of failed sign-ins; what it stores is keyed by `secret`. */
export function openAttempts({ db, secret }: { db: Db; secret: Buffer }): Attempts {
  const secretOfKeys = Buffer.from(hkdfSync("sha256", secret, "", "avow failed sign-ins", 32));
  const takePlace = openLines(LINE_LIMITS);
  /** Places held by checks that this process is making. */
  const held = new Map<string, number>();
  return {
    async checkOnce({ account, ip, now }, check) {
      const keys = toKeys(secretOfKeys, account, ip);
      const right = await takePlace(keys.narrow.toString("hex"), {
        enter: () => reserve(db, keys, now),
        work: (counts) =>
          whileHolding(held, counts, () => settle(db, { keys, counts, now }, check)),
      });
      if (right === undefined) throw await toRefusal(db, { keys, held, now });
      return right;
    },
    async checkCode({ userId, ip, now }, check) {
      const { narrow } = toKeys(secretOfKeys, ["user", userId], ip);
      const known = (await isKnownAddress(db, narrow, now)) ? [narrow.toString("hex")] : [];
      const key = createHmac("sha256", secretOfKeys)
        .update(JSON.stringify(["codes", userId, ...known]))
        .digest();
      const { counts } = await reserveFailure(db, {
        narrow: { key, max: CODES.wrongMax },
        wide: { keys: [], max: 0 },
        now,
        expiresAt: new Date(now.getTime() + CODES.windowMs),
      });
      const [count] = counts;
      if (!count) throw await toRefusalOf(db, key, { now, say: sayCodes });
      const right = await check();
      if (right) await subtractFailures(db, count);
      return right;
    },
    remember: (tx, { userId, ip, now }) =>
      rememberAddress(tx, toKeys(secretOfKeys, ["user", userId], ip), now),
  };
}

/** Without advice to reset the password: that takes a code too, and waits as long. */
const sayCodes = (seconds: number) =>
  `Too many codes of this account's second factor were wrong. Wait ${seconds} seconds before the next.`;

function toKeys(secret: Buffer, account: Attempt["account"], ip: string): Keys {
  const network = toNetwork(ip);
  const toKey = (...parts: string[]): Buffer =>
    createHmac("sha256", secret).update(JSON.stringify(parts)).digest();
  return {
    narrow: toKey("account at address", ...account, network),
    wide: [toKey("address", network), toKey("account", ...account)],
  };
}

/** Counts a failure ahead; undefined, with nothing counted, when a limit is reached. */
async function reserve(db: Db, keys: Keys, now: Date): Promise<FailureCount[] | undefined> {
  const reservation = await reserveFailure(db, {
    narrow: { key: keys.narrow, max: FAILURES_MAX.narrow },
    wide: { keys: keys.wide, max: FAILURES_MAX.wide },
    now,
    expiresAt: new Date(now.getTime() + WINDOW_MS),
  });
  if (isWhole(reservation, keys)) return reservation.counts;
  await giveBack(db, reservation.counts);
  return undefined;
}

function isWhole({ known, counts }: Reservation, keys: Keys): boolean {
  return counts.length === (known ? 1 : 1 + keys.wide.length);
}

/** One by one: statements that hold one row each never wait for each other in a circle. */
async function giveBack(db: Db, counts: FailureCount[]): Promise<void> {
  for (const count of counts) await subtractFailures(db, { ...count, failures: 1 });
}

/** Makes the check; keeps what was counted ahead when it was wrong. */
async function settle(
  db: Db,
  { keys, counts, now }: { keys: Keys; counts: FailureCount[]; now: Date },
  check: () => Promise<boolean>,
): Promise<boolean> {
  let right: boolean;
  try {
    right = await check();
  } catch (error) {
    await giveBack(db, counts);
    throw error;
  }
  if (!right) return false;
  // The account's earlier failures at this address are forgotten too; those of others are not.
  for (const count of counts) {
    const isNarrow = count.key.equals(keys.narrow);
    await subtractFailures(db, isNarrow ? count : { ...count, failures: 1 });
  }
  await rememberAddress(db, keys, now);
  return true;
}

function rememberAddress(db: Db | Tx, { narrow }: Keys, now: Date): Promise<void> {
  const expiresAt = new Date(now.getTime() + KNOWN_ADDRESS_MS);
  const enoughAt = new Date(expiresAt.getTime() - REMEMBER_AGAIN_MS);
  return keepAddress(db, narrow, { expiresAt, enoughAt });
}

async function whileHolding<T>(
  held: Map<string, number>,
  counts: FailureCount[],
  work: () => Promise<T>,
): Promise<T> {
  const names = counts.map(({ key }) => key.toString("hex"));
  for (const name of names) held.set(name, (held.get(name) ?? 0) + 1);
  try {
    return await work();
  } finally {
    for (const name of names) {
      const left = (held.get(name) ?? 1) - 1;
      if (left > 0) held.set(name, left);
      else held.delete(name);
    }
  }
}

/** The same for names that nobody has: it tells of no account. */
const sayFailures = (seconds: number) =>
  `Too many passwords or codes were wrong, for this account or from your network. Wait ${seconds} seconds before the next.`;

/** Where only checks that are being made fill a limit, a second is enough to see how they end. */
async function toRefusal(
  db: Db,
  { keys, held, now }: { keys: Keys; held: Map<string, number>; now: Date },
): Promise<Fault> {
  const counts = await listFailures(db, [keys.narrow, ...keys.wide], now);
  const over = (max: number) => (count: FailureCount) =>
    count.failures - (held.get(count.key.toString("hex")) ?? 0) >= max;
  const isNarrow = ({ key }: FailureCount): boolean => key.equals(keys.narrow);
  const narrow = counts.filter(isNarrow).filter(over(FAILURES_MAX.narrow));
  const wide = counts.filter((count) => !isNarrow(count)).filter(over(FAILURES_MAX.wide));
  // At a known address the wide limits may be reached and do not hold.
  const ends = (narrow.length > 0 ? narrow : wide).map(({ expiresAt }) => expiresAt.getTime());
  const endsAt = Math.max(0, ...ends);
  const retryAfterSeconds = Math.max(1, Math.ceil((endsAt - now.getTime()) / 1_000));
  return new Fault("too-many", sayFailures(retryAfterSeconds), { retryAfterSeconds });
}
