import { createHash } from "node:crypto";
import { type Ctx, toCtx } from "../../../kernel/ctx.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import { toLoginName } from "../../../kernel/logins.ts";
import { findUserByLogin } from "../../../kernel/users-store.ts";
import { hashToken } from "../../../platform/crypto/tokens.ts";
import { Fault } from "../../../platform/errors.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import { isMailAddress } from "../../../platform/mail/mail.ts";
import type { Profile } from "../../../platform/providers/provider.ts";
import { postValidation } from "../addresses/validations.ts";
import type { FactorChecks } from "../factors/ports.ts";
import { type Proof, useProof, verifyCode } from "../factors/proofs.ts";
import { findConfirmedFactor } from "../factors/store.ts";
import { type SignupsApp, admitSignup } from "../instance/signups.ts";
import { acceptInvitation } from "../invitations/invitations.ts";
import { findOneTimeToken } from "../sessions/one-time-tokens-store.ts";
import { createToken, useToken } from "../sessions/one-time-tokens.ts";
import { assertRecent } from "../sessions/recent.ts";
import { type Session, startSession } from "../sessions/sessions.ts";
import { claimLogins } from "../users/users.ts";
import { DISPLAY_NAME_LENGTH_MAX } from "../users/schema.ts";
import { insertUser } from "../users/store.ts";
import { CODE_SECONDS, CODE_WITH_FACTOR_SECONDS } from "./handshake.ts";
import { linkIdentity } from "./identities.ts";
import type { IdentitiesApp } from "./ports.ts";
import { findIdentityUser, insertIdentity, lockIdentity } from "./store.ts";

/** An identity to be linked once its user confirms it, with an access token. */
interface PendingIdentity {
  provider: string;
  subject: string;
  label: string | null;
}

interface ProviderSignin {
  provider: string;
  profile: Profile;
  /** The user to add the identity to; undefined for a sign-in. */
  linkTo: string | undefined;
  /** The invitation that a new account accepts. */
  invitationToken: string | undefined;
  language: MailLanguage;
}

type SigninApp = Pick<IdentitiesApp, "outbox" | "publicUrl" | "sealer" | "invitationTargets"> &
  SignupsApp;

/**
 * Handles the callback of a provider. Returns the one-time code of the sign-in and its lifetime. A known identity signs in;
 * an unknown one gets a new account, and is never merged into an existing account with its address.
 *
 * @throws Fault conflict when another account has the address, or the identity; forbidden for a new account when sign-ups
 *   are closed or need an invitation; not-found for its invitation that is unknown, used or expired
 */
export async function finishSignin(
  ctx: Ctx,
  app: SigninApp,
  { provider, profile, linkTo, invitationToken, language }: ProviderSignin,
): Promise<SigninCode> {
  const { subject } = profile;
  const label = (profile.email ?? profile.name ?? null)?.slice(0, DISPLAY_NAME_LENGTH_MAX) ?? null;
  const identity: PendingIdentity = { provider, subject, label };
  const known = await findIdentityUser(ctx.tx, identity);
  if (linkTo !== undefined) {
    if (known !== undefined && known !== linkTo)
      throw new Fault("conflict", "This sign-in method belongs to another account.");
    // Adding an identity that the user already has is a sign-in, which makes the session recent.
    return createCode(ctx, linkTo, known === linkTo ? null : app.sealer.seal(identity));
  }
  const newcomer = { identity, profile, invitationToken, language };
  const userId = known ?? (await findOrCreateUser(ctx, app, newcomer));
  return createCode(ctx, userId, null);
}

interface SigninCode {
  code: string;
  seconds: number;
}

async function createCode(ctx: Ctx, userId: string, data: string | null): Promise<SigninCode> {
  const needsCode = data === null && (await findConfirmedFactor(ctx.tx, userId)) !== undefined;
  const seconds = needsCode ? CODE_WITH_FACTOR_SECONDS : CODE_SECONDS;
  const lifetimeMs = seconds * 1_000;
  const code = await createToken(ctx, {
    purpose: "exchange",
    userId,
    email: null,
    data,
    lifetimeMs,
  });
  return { code, seconds };
}

interface Newcomer {
  identity: PendingIdentity;
  profile: Profile;
  invitationToken: string | undefined;
  language: MailLanguage;
}

/** The first of several concurrent first sign-ins creates the user; the others wait for it. */
async function findOrCreateUser(ctx: Ctx, app: SigninApp, newcomer: Newcomer): Promise<string> {
  await lockIdentity(ctx.tx, newcomer.identity);
  return (await findIdentityUser(ctx.tx, newcomer.identity)) ?? createUser(ctx, app, newcomer);
}

async function createUser(
  ctx: Ctx,
  app: SigninApp,
  { identity, profile, invitationToken, language }: Newcomer,
): Promise<string> {
  await admitSignup(ctx, app, { invitationToken });
  const email = profile.email !== undefined && isMailAddress(profile.email) ? profile.email : null;
  if (email !== null && (await findUserByLogin(ctx.tx, email)))
    throw new Fault(
      "conflict",
      "This address already has an account. Sign in to it, and add this sign-in method there.",
    );
  const digest = createHash("sha256").update(`${identity.provider}\n${identity.subject}`);
  const username = email ?? `${identity.provider}-${digest.digest("hex").slice(0, 16)}`;
  const userId = newDocumentId(ctx.now);
  await insertUser(ctx.tx, {
    id: userId,
    username,
    email,
    display_name: toDisplayName(profile.name) ?? username.split("@", 1)[0] ?? username,
    first_name: null,
    last_name: null,
    created_at: ctx.now,
    last_seen_at: ctx.now,
    email_verified_at: email !== null && profile.isEmailVerified ? ctx.now : null,
  });
  await claimLogins(ctx, userId, { username, email: email ?? username });
  await insertIdentity(ctx.tx, {
    ...identity,
    user_id: userId,
    password_hash: null,
    created_at: ctx.now,
  });
  if (email !== null && !profile.isEmailVerified)
    await postValidation(ctx, app, { userId, email, language });
  if (invitationToken !== undefined) {
    const asUser = toCtx({ ...ctx, actor: { kind: "user", userId, tokenId: "" } });
    await acceptInvitation(asUser, app, invitationToken);
  }
  return userId;
}

function toDisplayName(name: string | undefined): string | undefined {
  const plain = name?.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, " ").trim();
  if (plain === undefined || toLoginName(plain) === "") return undefined;
  return Array.from(plain.toWellFormed()).slice(0, DISPLAY_NAME_LENGTH_MAX).join("");
}

/**
 * Checks the second factor after a sign-in with a provider, before the one-time code is consumed. A provider guarantees no
 * strength, so the rule is the same as after a password. Adding an identity requires a session but no code.
 *
 * @throws Fault invalid for a code that is unknown, used or expired; code-needed, wrong-code, too-many
 */
export async function verifyExchange(
  app: FactorChecks & { now: () => Date },
  { code, factorCode, ip }: { code: string; factorCode: string | undefined; ip: string },
): Promise<Proof> {
  const now = app.now();
  const held = await findOneTimeToken(app.db, { hash: hashToken(code), purpose: "exchange", now });
  if (!held) throw unknownCode();
  if (held.data !== null) return { by: "none" };
  return verifyCode(app, { userId: held.userId, code: factorCode, ip, now });
}

/**
 * Exchanges a one-time code for a session. A code that adds an identity also requires the user's access token, so that an
 * attacker's link adds none. The user is notified by mail, and the new session is as recent as the old.
 *
 * @throws Fault invalid for a code that is unknown, used, expired or another user's; conflict; confirmation-needed to add
 * an identity; as `useProof`
 */
export async function exchangeCode(
  ctx: Ctx,
  { sealer, outbox }: Pick<SigninApp, "sealer" | "outbox">,
  given: { code: string; proof: Proof; label: string; language: MailLanguage },
): Promise<Session> {
  const { code, proof, label, language } = given;
  const held = await useToken(ctx, { token: code, purpose: "exchange" });
  if (!held) throw unknownCode();
  const { userId, data } = held;
  const session = { userId, label, event: "user.signed-in" } as const;
  if (data === null) {
    await useProof(ctx, { outbox }, { userId, proof, language });
    return startSession(ctx, session);
  }
  const isOwn = ctx.actor.kind === "user" && ctx.actor.userId === userId;
  // Only this service seals identities, so the shape is known.
  const identity = sealer.open(data) as PendingIdentity | undefined;
  if (!isOwn || !identity) throw unknownCode();
  const confirmedAt = await assertRecent(ctx);
  await linkIdentity(toCtx(ctx), { outbox }, { userId, language, ...identity });
  return startSession(ctx, { ...session, confirmedAt });
}

/** The error for any invalid code, which does not reveal the reason. */
export function unknownCode(): Fault {
  const message = "is unknown, used or expired; sign in again";
  return new Fault("invalid", `/code: ${message}`, { faults: [{ path: "/code", message }] });
}
