import { type Ctx, toCtx } from "../../../kernel/ctx.ts";
import { Fault, assertNoFaults } from "../../../platform/errors.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import { toLoginName } from "../../../kernel/logins.ts";
import type { Account } from "./account.ts";
import type { AuthApp } from "../ports.ts";
import { type Inviting, acceptInvitation } from "../invitations/invitations.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import { toNetwork } from "../limits/network.ts";
import { type Session, startSession } from "../sessions/sessions.ts";
import { type Validating, postValidation } from "../addresses/validations.ts";
import { insertIdentity, insertLogins, insertUser } from "../sessions/store.ts";

interface SigningUp {
  account: Account;
  passwordHash: string;
  label: string;
  language: MailLanguage;
  invitationToken?: string | undefined;
}

/**
 * Makes a user with a local identity and signs them in (wire section 1). A link that confirms the
 * address is mailed to it.
 *
 * @throws Fault impossible for an invitation that is unknown, used or expired; Fault conflict when the username or the e-mail is a name of another user (specification,
 *   Authentication 7), whatever the case and also of two sign-ups at once
 */
export async function signUp(
  ctx: Ctx,
  app: Validating & Inviting,
  { account, passwordHash, label, language, invitationToken }: SigningUp,
): Promise<Session> {
  const userId = newDocumentId(ctx.now);
  await insertUser(ctx.tx, {
    id: userId,
    username: account.username,
    email: account.email,
    display_name: account.displayName,
    first_name: account.firstName,
    last_name: account.lastName,
    created_at: ctx.now,
    last_seen_at: ctx.now,
  });
  await claimLogins(ctx, userId, account);
  await insertIdentity(ctx.tx, {
    provider: "local",
    subject: userId,
    user_id: userId,
    password_hash: passwordHash,
    created_at: ctx.now,
  });
  const session = await startSession(ctx, { userId, label, event: "user.joined" });
  await postValidation(ctx, app, { userId, email: account.email, language });
  if (invitationToken !== undefined) {
    const asUser = toCtx({ ...ctx, actor: { kind: "user", userId, tokenId: "" } });
    await acceptInvitation(asUser, app, invitationToken).catch(refuseInvitation);
  }
  return session;
}

/**
 * Hashes the password of who wants to sign up, after their network's sign-ups are counted. A name that somebody has
 * takes the same work, so that time does not tell it.
 *
 * @throws Fault invalid for a password that the operator refuses, too-many, busy
 */
export async function hashForSignup(
  { signups, passwords, policy, now }: Pick<AuthApp, "signups" | "passwords" | "policy" | "now">,
  { account, password, ip }: { account: Account; password: string; ip: string },
): Promise<string> {
  await policy.assertTaken(password, { path: "/password", names: Object.values(account) });
  const network = toNetwork(ip);
  await signups.take({ network, now: now() });
  return passwords.hash(password, network);
}

/** In a body, what is not there makes the request impossible. */
function refuseInvitation(error: unknown): never {
  if (!(error instanceof Fault) || error.kind !== "not-found") throw error;
  const message = "is unknown, used or expired";
  return assertNoFaults([{ path: "/invitationToken", message }], "impossible") as never;
}

/** Claims the names that sign a user in. @throws Fault conflict, naming each that somebody has */
export async function claimLogins(
  ctx: Ctx,
  userId: string,
  account: Pick<Account, "username" | "email">,
): Promise<void> {
  const wanted = [
    { path: "/username", name: toLoginName(account.username) },
    { path: "/email", name: toLoginName(account.email) },
  ];
  const free = await insertLogins(
    ctx.tx,
    userId,
    wanted.map(({ name }) => name),
  );
  const taken = wanted.filter(({ name }) => !free.includes(name));
  const faults = taken.map(({ path }) => ({ path, message: "is already in use" }));
  assertNoFaults(faults, "conflict");
}
