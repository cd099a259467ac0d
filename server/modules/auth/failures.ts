import { createHash } from "node:crypto";
import type { Db, Tx } from "../../platform/db/db.ts";
import { Fault } from "../../platform/errors.ts";
import {
  type FailureCount,
  addFailure,
  deleteFailures,
  isKnownAddress,
  keepAddress,
  listFailures,
} from "./failures-store.ts";
import { toNetwork } from "./network.ts";

const WINDOW_MS = 15 * 60_000;
const KNOWN_ADDRESS_MS = 90 * 86_400_000;
const REMEMBER_AGAIN_MS = 86_400_000;

/** Failures in a window after which sign-in waits for the window's end. */
export const FAILURES_MAX = { accountAtAddress: 10, address: 100, account: 100 };

/** What failed sign-ins are counted under: hashes, since addresses are personal data. */
export interface FailureKeys {
  accountAtAddress: Buffer;
  address: Buffer;
  account: Buffer;
}

/** The keys of an account (a user, or a name that nobody has) tried from an IP address. */
export function toFailureKeys(account: ["user" | "name", string], ip: string): FailureKeys {
  const network = toNetwork(ip);
  return {
    accountAtAddress: toKey("account at address", ...account, network),
    address: toKey("address", network),
    account: toKey("account", ...account),
  };
}

function toKey(...parts: string[]): Buffer {
  return createHash("sha256").update(JSON.stringify(parts)).digest();
}

/**
 * Throws when too many sign-ins failed lately for this account at this address, from this address,
 * or for this account anywhere. The last does not hold where the account signed in before, so that
 * nobody is locked out by what others do elsewhere (wire section 1).
 *
 * @throws Fault too-many, with the seconds to wait
 */
export async function assertFailuresFew(db: Db, keys: FailureKeys, now: Date): Promise<void> {
  const counts = await listFailures(db, Object.values(keys), now);
  const over = counts.filter((count) => count.failures >= maxOf(keys, count));
  const [only] = over;
  if (!only) return;
  const accountOnly = over.length === 1 && only.key.equals(keys.account);
  if (accountOnly && (await isKnownAddress(db, keys.accountAtAddress, now))) return;
  const endsAt = Math.max(...over.map((count) => count.expiresAt.getTime()));
  const retryAfterSeconds = Math.max(1, Math.ceil((endsAt - now.getTime()) / 1_000));
  throw new Fault("too-many", `Too many sign-ins failed. Wait ${retryAfterSeconds} seconds.`, {
    retryAfterSeconds,
  });
}

function maxOf(keys: FailureKeys, count: FailureCount): number {
  if (count.key.equals(keys.accountAtAddress)) return FAILURES_MAX.accountAtAddress;
  return count.key.equals(keys.address) ? FAILURES_MAX.address : FAILURES_MAX.account;
}

/** Counts a failed sign-in. */
export async function countFailure(db: Db, keys: FailureKeys, now: Date): Promise<void> {
  const known = await isKnownAddress(db, keys.accountAtAddress, now);
  const { accountAtAddress, address, account } = keys;
  const counted = known ? [accountAtAddress, address] : [accountAtAddress, address, account];
  await addFailure(db, counted, { now, expiresAt: new Date(now.getTime() + WINDOW_MS) });
}

/** Forgets the account's failures at this address, and remembers that it signed in from there. */
export async function forgiveFailures(tx: Tx, keys: FailureKeys, now: Date): Promise<void> {
  await deleteFailures(tx, keys.accountAtAddress);
  const expiresAt = new Date(now.getTime() + KNOWN_ADDRESS_MS);
  const enoughAt = new Date(expiresAt.getTime() - REMEMBER_AGAIN_MS);
  await keepAddress(tx, keys.accountAtAddress, { expiresAt, enoughAt });
}
