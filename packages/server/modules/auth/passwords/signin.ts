import type { Ctx } from "../../../kernel/ctx.ts";
import { Fault } from "../../../platform/errors.ts";
import { toLoginName } from "../../../kernel/logins.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import type { Passwords } from "../../../platform/crypto/passwords.ts";
import { type Proof, type Proving, checkCode, useProof, wrongCode } from "../factors/proofs.ts";
import type { Outbox } from "../mails/outbox.ts";
import { toNetwork } from "../limits/network.ts";
import { isStillPassword } from "./passwords.ts";
import { type Session, startSession } from "../sessions/sessions.ts";
import { findCredentials } from "../sessions/store.ts";

interface Credentials {
  username: string;
  password: string;
  /** Of a second factor. */
  code: string | undefined;
  ip: string;
  now: Date;
}

/** Who gave the right password, which that was, and what proved their second factor. */
export interface Verified {
  userId: string;
  passwordHash: string | undefined;
  proof: Proof;
}

/**
 * Checks a password, and the code of a second factor where its user has one, and answers whose it is, outside any
 * transaction: no connection waits for the hash. An unknown user, a user without a local identity and a wrong password
 * take the same work and give the same answer. A code is asked for, and looked at, once the password was right; a
 * wrong one counts as a failed sign-in, which a right password alone does not take back.
 *
 * @throws Fault wrong-credentials, code-needed, wrong-code, too-many, busy
 */
export async function verifyCredentials(
  app: Proving & { passwords: Passwords },
  { username, password, code, ip, now }: Credentials,
): Promise<Verified> {
  const { db, passwords, attempts } = app;
  const name = toLoginName(username);
  const user = await findCredentials(db, name);
  const found: { isPassword: boolean; proof?: Proof | undefined } = { isPassword: false };
  await attempts.checkOnce(
    { account: user ? ["user", user.userId] : ["name", name], ip, now },
    async () => {
      const hash = user?.passwordHash ?? undefined;
      found.isPassword = await passwords.verify(hash, password, toNetwork(ip));
      if (!user || !found.isPassword) return false;
      found.proof = await checkCode(app, { userId: user.userId, code, ip, now });
      return found.proof !== undefined;
    },
  );
  if (!user || !found.isPassword) throw wrongCredentials();
  if (!found.proof) throw wrongCode();
  const passwordHash = user.passwordHash ?? undefined;
  return { userId: user.userId, passwordHash, proof: found.proof };
}

function wrongCredentials(): Fault {
  return new Fault("wrong-credentials", "The username or the password is wrong.");
}

/**
 * Signs a verified user in.
 * @throws Fault wrong-credentials where they got another password meanwhile; as `useProof`
 */
export async function signIn(
  ctx: Ctx,
  app: { outbox: Outbox },
  { label, language, proof, ...verified }: Verified & { label: string; language: MailLanguage },
): Promise<Session> {
  if (!(await isStillPassword(ctx, verified))) throw wrongCredentials();
  const { userId } = verified;
  await useProof(ctx, app, { userId, proof, language });
  return startSession(ctx, { userId, label, event: "user.signed-in" });
}
