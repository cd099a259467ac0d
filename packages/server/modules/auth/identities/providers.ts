import { createHash } from "node:crypto";
import { type Ctx, toCtx } from "../../../kernel/ctx.ts";
import { Fault } from "../../../platform/errors.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import { toLoginName } from "../../../kernel/logins.ts";
import { isMailAddress } from "../../../platform/mail/mail.ts";
import type { Profile } from "../../../platform/providers/provider.ts";
import type { Sealer } from "../../../platform/crypto/sealing.ts";
import { hashToken, newOneTimeToken } from "../../../platform/crypto/tokens.ts";
import { findUserByLogin } from "../../../kernel/users-store.ts";
import { assertRecent } from "../passwords/confirmations.ts";
import { type Proof, type Proving, useProof, verifyCode } from "../factors/proofs.ts";
import { findConfirmedFactor } from "../factors/store.ts";
import { CODE_SECONDS, CODE_WITH_FACTOR_SECONDS } from "./handshake.ts";
import { linkIdentity } from "./identities.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import { useToken } from "../sessions/one-time-tokens.ts";
import { findOneTimeToken, insertOneTimeToken } from "../sessions/one-time-tokens-store.ts";
import { DISPLAY_NAME_LENGTH_MAX } from "../users/schema.ts";
import { type Session, startSession } from "../sessions/sessions.ts";
import { claimLogins } from "../accounts/signup.ts";
import { findIdentityUser, insertIdentity, insertUser, lockIdentity } from "../sessions/store.ts";
import { type Validating, postValidation } from "../addresses/validations.ts";

/** An identity that waits to be linked: its user has to say so again, with their token. */
interface Waiting {
  provider: string;
  subject: string;
  label: string | null;
}

interface Arrived {
  provider: string;
  profile: Profile;
  /** Whose account the identity is to be added to; undefined: it signs in. */
  linkTo: string | undefined;
  language: MailLanguage;
}

type Social = Validating & { sealer: Sealer };

/**
 * Takes somebody in who came back from a provider; answers the one-time code that stands for them, and how long it works. Who
 * is known signs in; who is not gets an account; an address that an account has is never joined to it.
 *
 * @throws Fault conflict when another account has the address, or the identity
 */
export async function arrive(
  ctx: Ctx,
  app: Social,
  { provider, profile, linkTo, language }: Arrived,
): Promise<ArrivalCode> {
  const { subject } = profile;
  const label = (profile.email ?? profile.name ?? null)?.slice(0, DISPLAY_NAME_LENGTH_MAX) ?? null;
  const waiting: Waiting = { provider, subject, label };
  const known = await findIdentityUser(ctx.tx, waiting);
  if (linkTo !== undefined) {
    if (known !== undefined && known !== linkTo)
      throw new Fault("conflict", "This way of signing in belongs to another account.");
    // Who comes by a way that is theirs already signs in again, which a session that is not recent waits for.
    return newCode(ctx, linkTo, known === linkTo ? null : app.sealer.seal(waiting));
  }
  const userId = known ?? (await findOrJoin(ctx, app, { waiting, profile, language }));
  return newCode(ctx, userId, null);
}

/** The one-time code of who came back. */
interface ArrivalCode {
  code: string;
  seconds: number;
}

/** Who has a second factor types a code of it before the one-time code is exchanged, which takes a while. */
async function newCode(ctx: Ctx, userId: string, data: string | null): Promise<ArrivalCode> {
  const { token, hash } = newOneTimeToken();
  const isAsked = data === null && (await findConfirmedFactor(ctx.tx, userId)) !== undefined;
  const seconds = isAsked ? CODE_WITH_FACTOR_SECONDS : CODE_SECONDS;
  await insertOneTimeToken(ctx.tx, {
    hash,
    purpose: "exchange",
    user_id: userId,
    email: null,
    data,
    created_at: ctx.now,
    expires_at: new Date(ctx.now.getTime() + seconds * 1_000),
  });
  return { code: token, seconds };
}

interface Newcomer {
  waiting: Waiting;
  profile: Profile;
  language: MailLanguage;
}

/** Of several first sign-ins of one person at once, one makes the user, and the others wait for it. */
async function findOrJoin(ctx: Ctx, app: Social, newcomer: Newcomer): Promise<string> {
  await lockIdentity(ctx.tx, newcomer.waiting);
  return (await findIdentityUser(ctx.tx, newcomer.waiting)) ?? join(ctx, app, newcomer);
}

/** Makes a user of somebody whom nobody knows. */
async function join(
  ctx: Ctx,
  app: Social,
  { waiting, profile, language }: Newcomer,
): Promise<string> {
  const email = profile.email !== undefined && isMailAddress(profile.email) ? profile.email : null;
  if (email !== null && (await findUserByLogin(ctx.tx, email)))
    throw new Fault(
      "conflict",
      "This address has an account already. Sign in to it, and add this way of signing in there.",
    );
  const digest = createHash("sha256").update(`${waiting.provider}\n${waiting.subject}`);
  const username = email ?? `${waiting.provider}-${digest.digest("hex").slice(0, 16)}`;
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
    ...waiting,
    user_id: userId,
    password_hash: null,
    created_at: ctx.now,
  });
  if (email !== null && !profile.isEmailVerified)
    await postValidation(ctx, app, { userId, email, language });
  return userId;
}

function toDisplayName(name: string | undefined): string | undefined {
  const plain = name?.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, " ").trim();
  if (plain === undefined || toLoginName(plain) === "") return undefined;
  return Array.from(plain.toWellFormed()).slice(0, DISPLAY_NAME_LENGTH_MAX).join("");
}

/**
 * Checks the second factor of somebody who came back from a provider, before the one-time code is used up: a provider
 * is asked for no strength, so it is the same rule as after a password. Who adds an identity has a session already.
 *
 * @throws Fault invalid for a code that is unknown, used or expired; code-needed, wrong-code, too-many
 */
export async function proveExchange(
  app: Proving & { now: () => Date },
  { code, factorCode, ip }: { code: string; factorCode: string | undefined; ip: string },
): Promise<Proof> {
  const now = app.now();
  const held = await findOneTimeToken(app.db, { hash: hashToken(code), purpose: "exchange", now });
  if (!held) throw unknownCode();
  if (held.data !== null) return { by: "none" };
  return verifyCode(app, { userId: held.userId, code: factorCode, ip, now });
}

/**
 * Turns a one-time code into a session. One that adds an identity does so here, for the user whose token
 * came with it: a link that somebody else made a browser follow gives nobody a way in. They are told by mail, and the
 * session is as recent as the one that it came with.
 *
 * @throws Fault invalid for a code that is unknown, used, expired or another user's; conflict; confirmation-needed
 * where an identity is added; as `useProof`
 */
export async function exchangeCode(
  ctx: Ctx,
  { sealer, outbox }: Pick<Social, "sealer" | "outbox">,
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
  // What this service sealed it made itself, so its shape is known.
  const waiting = sealer.open(data) as Waiting | undefined;
  if (!isOwn || !waiting) throw unknownCode();
  const confirmedAt = await assertRecent(ctx);
  await linkIdentity(toCtx(ctx), { outbox }, { userId, language, ...waiting });
  return startSession(ctx, { ...session, confirmedAt });
}

/** The answer to a code that does not work, whatever the reason. */
export function unknownCode(): Fault {
  const message = "is unknown, used or expired: sign in again";
  return new Fault("invalid", `/code: ${message}`, { faults: [{ path: "/code", message }] });
}
