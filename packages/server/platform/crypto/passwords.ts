import { randomBytes } from "node:crypto";
import { hash as argon2Hash, verify as argon2Verify } from "@node-rs/argon2";
import { Fault } from "../errors.ts";
import { openTurns } from "../queues/turns.ts";

/** For how long a password may wait for its turn: who signs in would rather try again. */
const WAIT_MS_MAX = 5_000;

/** Too many passwords wait to be hashed, or this one has for five seconds: the edge answers 503 with `Retry-After`. */
export class PasswordsBusyError extends Fault {
  override readonly name = "PasswordsBusyError";

  constructor() {
    const detail = "Too many passwords are being checked; try again shortly.";
    super("busy", detail, { retryAfterSeconds: 1 });
  }
}

export interface PasswordsOptions {
  /** Hashes made at once. libuv has four threads: one is left for files and DNS. */
  concurrencyMax?: number;
  /** Hashes that may wait for their turn before `PasswordsBusyError`. */
  waitingMax?: number;
  /** Of a clock that only goes forward, in ms; the process's by default. */
  now?: () => number;
  memoryCostKib?: number;
  timeCost?: number;
  parallelism?: number;
}

export interface Passwords {
  /**
   * Hashes a password into a PHC string. `from` is the network that asks: networks take turns, so that what one of
   * them sends keeps no other waiting, and of one network what is checked goes before what is hashed: a flood of
   * sign-ups does not hold up those who sign in. Throws `PasswordsBusyError`.
   */
  hash(password: string, from: string): Promise<string>;
  /**
   * Tells whether the password is the hash's. `undefined` (no such user) answers false after the
   * same work, so that time does not tell which users exist. Throws `PasswordsBusyError`.
   */
  verify(hash: string | undefined, password: string, from: string): Promise<boolean>;
}

/**
 * Opens the hashing of passwords: argon2id (RFC 9106), by default 64 MiB, three passes, four
 * lanes, off the event loop, with bounded concurrency and a queue that is bounded in length and time, and fair between networks. Makes the hash that
 * unknown users are checked against before it answers, so that the first check costs no more
 * than the next.
 */
export async function openPasswords(options: PasswordsOptions = {}): Promise<Passwords> {
  const { memoryCostKib = 64 * 1024, timeCost = 3, parallelism = 4 } = options;
  // argon2id is the package's default algorithm; its const enum cannot be imported by type stripping.
  const cost = { memoryCost: memoryCostKib, timeCost, parallelism };
  const takeTurn = openTurns({
    concurrencyMax: options.concurrencyMax ?? 3,
    waitingMax: options.waitingMax ?? 200,
    waitMsMax: WAIT_MS_MAX,
    now: options.now ?? (() => performance.now()),
    toRefusal: () => new PasswordsBusyError(),
  });
  const hash = (password: string, from: string) =>
    takeTurn({ from, isUrgent: false, work: () => argon2Hash(password, cost) });
  const hashOfNobody = await hash(randomBytes(32).toString("base64url"), "");
  return {
    hash,
    async verify(hashed, password, from) {
      const work = () => argon2Verify(hashed ?? hashOfNobody, password);
      const matches = await takeTurn({ from, isUrgent: true, work });
      return hashed !== undefined && matches;
    },
  };
}
