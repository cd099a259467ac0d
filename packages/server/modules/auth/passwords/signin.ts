import type { Ctx } from "../../../kernel/ctx.ts";
import { toLoginName } from "../../../kernel/logins.ts";
import type { Passwords } from "../../../platform/crypto/passwords.ts";
import { Fault } from "../../../platform/errors.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import type { FactorChecks } from "../factors/ports.ts";
import { type Proof, checkCode, useProof, wrongCode } from "../factors/proofs.ts";
import { toNetwork } from "../limits/network.ts";
import type { Outbox } from "../mails/outbox.ts";
import { type Session, startSession } from "../sessions/sessions.ts";
import { isStillPassword } from "./passwords.ts";
import { findCredentials } from "./store.ts";

interface Credentials {
  username: string;
  password: string;
  /** The code of a second factor. */
  code: string | undefined;
  ip: string;
  now: Date;
}

/** A user with a checked password, its hash, and the proof of the second factor. */
export interface VerifiedUser {
  userId: string;
  passwordHash: string | undefined;
  proof: Proof;
}

/**
 * Finds the user of a name and a password, and of a code where the user has a second factor, outside any
 * transaction: no connection waits for the hash. An unknown user, a user without a local identity and a wrong password
 * take the same work and give the same answer. A code is required, and checked, only after a correct password; a
 * wrong one counts as a failed sign-in, which a correct password alone does not clear.
 *
 * @throws Fault wrong-credentials, code-needed, wrong-code, too-many, busy
 */
export async function verifyCredentials(
  app: FactorChecks & { passwords: Passwords },
  { username, password, code, ip, now }: Credentials,
): Promise<VerifiedUser> {
  const { db, passwords, attempts } = app;
  const name = toLoginName(username);
  const user = await findCredentials(db, name);
  const found = { isPassword: false };
  const proof = await attempts.countCheck(
    { account: user ? ["user", user.userId] : ["name", name], ip, now },
    async () => {
      const hash = user?.passwordHash ?? undefined;
      found.isPassword = await passwords.verify(hash, password, toNetwork(ip));
      if (!user || !found.isPassword) return undefined;
      return checkCode(app, { userId: user.userId, code, ip, now });
    },
  );
  if (!user || !found.isPassword) throw wrongCredentials();
  if (!proof) throw wrongCode();
  const passwordHash = user.passwordHash ?? undefined;
  return { userId: user.userId, passwordHash, proof };
}

function wrongCredentials(): Fault {
  return new Fault("wrong-credentials", "The username or the password is wrong.");
}

/**
 * Signs a verified user in.
 * @throws Fault wrong-credentials when the password has changed since; as `useProof`
 */
export async function signIn(
  ctx: Ctx,
  app: { outbox: Outbox },
  { label, language, proof, ...verified }: VerifiedUser & { label: string; language: MailLanguage },
): Promise<Session> {
  if (!(await isStillPassword(ctx, verified))) throw wrongCredentials();
  const { userId } = verified;
  await useProof(ctx, app, { userId, proof, language });
  return startSession(ctx, { userId, label, event: "user.signed-in" });
}
