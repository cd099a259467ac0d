import type { Ctx } from "../../platform/ctx.ts";
import type { Db } from "../../platform/db/db.ts";
import { Fault } from "../../platform/errors.ts";
import { toLoginName } from "../../platform/logins.ts";
import type { Passwords } from "../../platform/passwords.ts";
import type { Attempts } from "./attempts.ts";
import { toNetwork } from "./network.ts";
import { isStillPassword } from "./passwords.ts";
import { type Session, startSession } from "./sessions.ts";
import { findCredentials } from "./store.ts";

interface Credentials {
  username: string;
  password: string;
  ip: string;
}

/** Who gave the right password, and which that was. */
export interface Verified {
  userId: string;
  passwordHash: string | undefined;
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
): Promise<Verified> {
  const name = toLoginName(username);
  const user = await findCredentials(db, name);
  const right = await attempts.checkOnce(
    { account: user ? ["user", user.userId] : ["name", name], ip, now },
    () => passwords.verify(user?.passwordHash ?? undefined, password, toNetwork(ip)),
  );
  if (!user || !right) throw wrongCredentials();
  return { userId: user.userId, passwordHash: user.passwordHash ?? undefined };
}

function wrongCredentials(): Fault {
  return new Fault("wrong-credentials", "The username or the password is wrong.");
}

/** Signs a verified user in. @throws Fault wrong-credentials where they got another password meanwhile */
export async function signIn(
  ctx: Ctx,
  { label, ...verified }: Verified & { label: string },
): Promise<Session> {
  if (!(await isStillPassword(ctx, verified))) throw wrongCredentials();
  const { userId } = verified;
  return startSession(ctx, { userId, label, event: "user.signed-in" });
}
