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
  /**
   * Hashes a password into a PHC string. `from` is the network that asks: networks take turns, so that what one of
   * them sends keeps no other waiting. Throws `PasswordsBusyError`.
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
 * lanes, off the event loop, with bounded concurrency and a bounded queue that is fair between networks. Makes the hash that
 * unknown users are checked against before it answers, so that the first check costs no more
 * than the next.
 */
export async function openPasswords(options: PasswordsOptions = {}): Promise<Passwords> {
  const { memoryCostKib = 64 * 1024, timeCost = 3, parallelism = 4 } = options;
  // argon2id is the package's default algorithm; its const enum cannot be imported by type stripping.
  const cost = { memoryCost: memoryCostKib, timeCost, parallelism };
  const takeTurn = openTurns(options.concurrencyMax ?? 3, options.waitingMax ?? 200);
  const hash = (password: string, from: string) => takeTurn(from, () => argon2Hash(password, cost));
  const hashOfNobody = await hash(randomBytes(32).toString("base64url"), "");
  return {
    hash,
    async verify(hashed, password, from) {
      const matches = await takeTurn(from, () => argon2Verify(hashed ?? hashOfNobody, password));
      return hashed !== undefined && matches;
    },
  };
}

/** Runs at most `concurrencyMax` works at once; networks take turns, and of one it is first come first served. */
function openTurns(concurrencyMax: number, waitingMax: number) {
  const queue = openQueue(waitingMax);
  let running = 0;
  return async function takeTurn<T>(from: string, work: () => Promise<T>): Promise<T> {
    if (running < concurrencyMax) running += 1;
    // The turn is handed over by the one that ends, so `running` stays as it is.
    else await queue.wait(from);
    try {
      return await work();
    } finally {
      if (!queue.callNext()) running -= 1;
    }
  };
}

type Waiting = PromiseWithResolvers<void>;

/**
 * Who waits, in a line for each network. Where the room is full, who came last of the longest line makes room for a
 * network that has fewer waiting, so that nobody fills it for all others.
 */
function openQueue(waitingMax: number) {
  /** The line whose turn is next is the first. */
  const lines = new Map<string, Waiting[]>();
  let count = 0;

  function makeRoom(from: string): void {
    const longest = [...lines.values()].reduce<Waiting[]>(
      (most, line) => (line.length > most.length ? line : most),
      [],
    );
    if ((lines.get(from)?.length ?? 0) + 1 >= longest.length) throw new PasswordsBusyError();
    longest.pop()?.reject(new PasswordsBusyError());
    count -= 1;
  }

  return {
    async wait(from: string): Promise<void> {
      if (count >= waitingMax) makeRoom(from);
      const waiting = Promise.withResolvers<void>();
      const line = lines.get(from);
      if (line) line.push(waiting);
      else lines.set(from, [waiting]);
      count += 1;
      await waiting.promise;
    },
    /** Gives the turn to who is next; false where nobody waits. */
    callNext(): boolean {
      const [first] = lines;
      if (!first) return false;
      const [from, line] = first;
      const next = line.shift();
      lines.delete(from);
      if (line.length > 0) lines.set(from, line);
      count -= 1;
      next?.resolve();
      return true;
    },
  };
}
