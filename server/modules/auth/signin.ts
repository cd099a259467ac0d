import type { Ctx } from "../../platform/ctx.ts";
import type { Db } from "../../platform/db/db.ts";
import { Fault } from "../../platform/errors.ts";
import { toLoginName } from "../../platform/logins.ts";
import type { Passwords } from "../../platform/passwords.ts";
import type { Attempts } from "./attempts.ts";
import { toNetwork } from "./network.ts";
import { type Session, startSession } from "./sessions.ts";
import { findCredentials } from "./store.ts";

interface Credentials {
  username: string;
  password: string;
  ip: string;
}

interface Verifier {
  db: Db;
  passwords: Passwords;
  attempts: Attempts;
  now: Date;
}

/**
 * Checks a password and answers whose it is, outside any transaction: no connection waits for the
 * hash. An unknown user, a user without a local identity and a wrong password take the same work and
 * give the same answer.
 *
 * @throws Fault wrong-credentials, too-many, busy
 */
export async function verifyCredentials(
  { db, passwords, attempts, now }: Verifier,
  { username, password, ip }: Credentials,
): Promise<{ userId: string }> {
  const name = toLoginName(username);
  const user = await findCredentials(db, name);
  const right = await attempts.checkOnce(
    { account: user ? ["user", user.userId] : ["name", name], ip, now },
    () => passwords.verify(user?.passwordHash ?? undefined, password, toNetwork(ip)),
  );
  if (!user || !right) {
    throw new Fault("wrong-credentials", "The username or the password is wrong.");
  }
  return { userId: user.userId };
}

/** Signs a verified user in. */
export function signIn(
  ctx: Ctx,
  { userId, label }: { userId: string; label: string },
): Promise<Session> {
  return startSession(ctx, { userId, label, event: "user.signed-in" });
}
