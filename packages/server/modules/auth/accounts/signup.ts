import { type Ctx, toCtx } from "../../../kernel/ctx.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import { Fault, assertNoFaults } from "../../../platform/errors.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import { postValidation } from "../addresses/validations.ts";
import { acceptAtSignup } from "../invitations/invitations.ts";
import { toNetwork } from "../limits/network.ts";
import { putPasswordHash } from "../passwords/store.ts";
import { type Session, startSession } from "../sessions/sessions.ts";
import { claimLogins } from "../users/users.ts";
import { insertUser } from "../users/store.ts";
import { claimInstance } from "../instance/claims.ts";
import { type SignupsApp, admitSignup, assertSignupAllowed } from "../instance/signups.ts";
import type { PasswordPlace } from "../passwords/policy.ts";
import type { Account } from "./account.ts";
import type { AccountsApp } from "./ports.ts";

interface SignupRequest {
  account: Account;
  passwordHash: string;
  label: string;
  language: MailLanguage;
  invitationToken?: string | undefined;
  claimToken?: string | undefined;
}

/**
 * Creates a user with a local identity and signs them in (wire section 1). A link to confirm the address is mailed.
 *
 * @throws Fault forbidden when sign-ups are closed or need an invitation; impossible for an invitation or a claim that is
 *   unknown, used or expired, and for an invitation that is bound to another address; conflict when the username or the e-mail is
 *   a name of another user (specification, Authentication 7), ignoring case, also for concurrent sign-ups
 */
export async function signUp(
  ctx: Ctx,
  app: Pick<AccountsApp, "outbox" | "publicUrl" | "invitationTargets"> & SignupsApp,
  { account, passwordHash, label, language, invitationToken, claimToken }: SignupRequest,
): Promise<Session> {
  await admitSignup(ctx, app, { invitationToken, claimToken });
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
  await putPasswordHash(ctx.tx, { userId, passwordHash, now: ctx.now });
  const session = await startSession(ctx, { userId, label, event: "user.joined" });
  await postValidation(ctx, app, { userId, email: account.email, language });
  const asUser = toCtx({ ...ctx, actor: { kind: "user", userId, tokenId: "" } });
  if (claimToken !== undefined)
    await claimInstance(asUser, { token: claimToken, path: "/claimToken" });
  if (invitationToken !== undefined)
    await acceptAtSignup(asUser, app, { token: invitationToken, email: account.email }).catch(
      rejectInvitation,
    );
  return session;
}

/**
 * Hashes the password of a sign-up that is allowed, after counting the sign-ups of its network. A name in use takes the same work, so that
 * the time does not reveal it.
 *
 * @throws Fault as `assertSignupAllowed`; invalid for a password that the policy rejects; too-many, busy
 */
export async function hashForSignup(
  app: Pick<AccountsApp, "db" | "limiter" | "passwords" | "policy" | "now"> & SignupsApp,
  {
    account,
    password,
    ip,
    place,
    ...tokens
  }: {
    account: Account;
    password: string;
    ip: string;
    place: PasswordPlace;
    invitationToken?: string | undefined;
    claimToken?: string | undefined;
  },
): Promise<string> {
  const { limiter, passwords, policy, now } = app;
  await assertSignupAllowed(app, tokens);
  const names = Object.values(account);
  await policy.assertAccepted(password, { path: "/password", names, place });
  const network = toNetwork(ip);
  await limiter.count({ limit: "sign-ups by network", key: [network], now: now() });
  return passwords.hash(password, network);
}

/** In a body, an invitation that cannot be used makes the request impossible. */
function rejectInvitation(error: unknown): never {
  if (!(error instanceof Fault) || !(error.kind === "not-found" || error.kind === "forbidden"))
    throw error;
  const message =
    error.kind === "not-found" ? "is unknown, used or expired" : "is bound to another address";
  return assertNoFaults([{ path: "/invitationToken", message }], "impossible") as never;
}
