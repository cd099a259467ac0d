import { randomBytes } from "node:crypto";
import { hash as argon2Hash, verify as argon2Verify } from "@node-rs/argon2";
import { Fault } from "./errors.ts";

/** Too many passwords wait to be hashed: the edge answers 503 with `Retry-After`. */
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
  memoryCostKib?: number;
  timeCost?: number;
  parallelism?: number;
}

export interface Passwords {
  /** Hashes a password into a PHC string. Throws `PasswordsBusyError`. */
  hash(password: string): Promise<string>;
  /**
   * Tells whether the password is the hash's. `undefined` (no such user) answers false after the
   * same work, so that time does not tell which users exist. Throws `PasswordsBusyError`.
   */
  verify(hash: string | undefined, password: string): Promise<boolean>;
}

/**
 * Opens the hashing of passwords: argon2id (RFC 9106), by default 64 MiB, three passes, four
 * lanes, off the event loop, with bounded concurrency and a bounded queue. Makes the hash that
 * unknown users are checked against before it answers, so that the first check costs no more
 * than the next.
 */
export async function openPasswords(options: PasswordsOptions = {}): Promise<Passwords> {
  const { memoryCostKib = 64 * 1024, timeCost = 3, parallelism = 4 } = options;
  // argon2id is the package's default algorithm; its const enum cannot be imported by type stripping.
  const cost = { memoryCost: memoryCostKib, timeCost, parallelism };
  const takeTurn = openTurns(options.concurrencyMax ?? 3, options.waitingMax ?? 200);
  const hash = (password: string) => takeTurn(() => argon2Hash(password, cost));
  const hashOfNobody = await hash(randomBytes(32).toString("base64url"));
  return {
    hash,
    async verify(hashed, password) {
      const matches = await takeTurn(() => argon2Verify(hashed ?? hashOfNobody, password));
      return hashed !== undefined && matches;
    },
  };
}

/** Runs at most `concurrencyMax` works at once, first come first served. */
function openTurns(concurrencyMax: number, waitingMax: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async function takeTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < concurrencyMax) running += 1;
    else {
      if (waiting.length >= waitingMax) {
        throw new PasswordsBusyError();
      }
      // The turn is handed over by the one that ends, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
