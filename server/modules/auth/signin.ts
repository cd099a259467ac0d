import type { Ctx } from "../../platform/ctx.ts";
import type { Db } from "../../platform/db/db.ts";
import { Fault } from "../../platform/errors.ts";
import { toLoginName } from "../../platform/logins.ts";
import type { Passwords } from "../../platform/passwords.ts";
import {
  type FailureKeys,
  assertFailuresFew,
  countFailure,
  forgiveFailures,
  toFailureKeys,
} from "./failures.ts";
import { type Session, startSession } from "./sessions.ts";
import { findCredentials } from "./store.ts";

interface Credentials {
  username: string;
  password: string;
  ip: string;
}

/** A user whose password was right, and what their failures were counted under. */
export interface Verified {
  userId: string;
  keys: FailureKeys;
}

/**
 * Checks a password, outside any transaction: no connection waits for the hash. An unknown user, a
 * user without a local identity and a wrong password take the same work and give the same answer.
 *
 * @throws Fault wrong-credentials, too-many, busy
 */
export async function verifyCredentials(
  { db, passwords, now }: { db: Db; passwords: Passwords; now: Date },
  { username, password, ip }: Credentials,
): Promise<Verified> {
  const name = toLoginName(username);
  const user = await findCredentials(db, name);
  const keys = toFailureKeys(user ? ["user", user.userId] : ["name", name], ip);
  await assertFailuresFew(db, keys, now);
  const right = await passwords.verify(user?.passwordHash ?? undefined, password);
  if (!user || !right) {
    await countFailure(db, keys, now);
    throw new Fault("wrong-credentials", "The username or the password is wrong.");
  }
  // Again: of many guesses sent at once, those that end after the limit was reached are not answered.
  await assertFailuresFew(db, keys, now);
  return { userId: user.userId, keys };
}

/** Signs a verified user in. */
export async function signIn(
  ctx: Ctx,
  { userId, keys }: Verified,
  label: string,
): Promise<Session> {
  await forgiveFailures(ctx.tx, keys, ctx.now);
  return startSession(ctx, { userId, label, event: "user.signed-in" });
}
