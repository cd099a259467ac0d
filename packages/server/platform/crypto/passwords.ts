import { randomBytes } from "node:crypto";
import { hash as argon2Hash, verify as argon2Verify } from "@node-rs/argon2";
import { Fault } from "../errors.ts";
import { openFairQueue } from "../queues/fair-queue.ts";

/** Concurrent hashes. libuv has four threads: one is left for files and DNS. */
const HASHES_MAX = 3;
/** Maximum wait for a slot. */
const WAIT_MS_MAX = 5_000;

/** The queue of passwords is full, or this one has waited five seconds. Answered with 503 and `Retry-After`. */
export class PasswordsBusyError extends Fault {
  override readonly name = "PasswordsBusyError";

  constructor() {
    const detail = "Too many passwords are being checked. Retry in 1 second.";
    super("busy", detail, { retryAfterSeconds: 1 });
  }
}

export interface PasswordsOptions {
  /** Concurrent hashes. Default: three by all processes together, rounded up in each. */
  capacity?: number;
  /** The processes of the service on this machine, which share its memory. */
  processes?: number;
  waitersMax?: number;
  memoryCostKib?: number;
  timeCost?: number;
  parallelism?: number;
}

export interface Passwords {
  /**
   * Hashes a password into a PHC string. Networks (`from`) have equal shares, so that a flood from one delays no other;
   * within a network checks precede hashes, so that a flood of sign-ups delays no sign-in. Throws `PasswordsBusyError`.
   */
  hash(password: string, from: string): Promise<string>;
  /**
   * Whether the password matches the hash. `undefined` (no such user) returns false after the same work, so that
   * timing does not reveal which users exist. Throws `PasswordsBusyError`.
   */
  verify(hash: string | undefined, password: string, from: string): Promise<boolean>;
}

/**
 * Opens the hashing of passwords: argon2id (RFC 9106), by default 64 MiB, three passes, four lanes, off the event
 * loop, through a fair queue with limits of length and time. Creates the hash that unknown users are checked
 * against in advance, so that the first check takes no longer than the next.
 */
export async function openPasswords(options: PasswordsOptions = {}): Promise<Passwords> {
  const { memoryCostKib = 64 * 1024, timeCost = 3, parallelism = 4 } = options;
  // argon2id is the package's default algorithm; its const enum cannot be imported by type stripping.
  const cost = { memoryCost: memoryCostKib, timeCost, parallelism };
  const queue = openFairQueue({
    capacity: options.capacity ?? Math.ceil(HASHES_MAX / (options.processes ?? 1)),
    waitersMax: options.waitersMax ?? 200,
    waitMsMax: WAIT_MS_MAX,
    toFault: () => new PasswordsBusyError(),
  });
  const hash = (password: string, from: string) =>
    queue.run({ keys: [from] }, () => argon2Hash(password, cost));
  const dummyHash = await hash(randomBytes(32).toString("base64url"), "");
  return {
    hash,
    async verify(hashed, password, from) {
      const work = () => argon2Verify(hashed ?? dummyHash, password);
      const matches = await queue.run({ keys: [from], isUrgent: true }, work);
      return hashed !== undefined && matches;
    },
  };
}
