import { createHash } from "node:crypto";
import { type Ctx, toCtx } from "../../platform/ctx.ts";
import { Fault } from "../../platform/errors.ts";
import { newDocumentId } from "../../platform/ids.ts";
import { toLoginName } from "../../platform/logins.ts";
import { isMailAddress } from "../../platform/mail/mail.ts";
import type { Profile } from "../../platform/providers/provider.ts";
import type { Sealer } from "../../platform/sealing.ts";
import { newOneTimeToken } from "../../platform/tokens.ts";
import { findUserByLogin } from "../../platform/users-store.ts";
import { CODE_SECONDS } from "./handshake.ts";
import { linkIdentity } from "./identities.ts";
import type { MailLanguage } from "../../platform/mail/languages.ts";
import { useToken } from "./one-time.ts";
import { insertOneTimeToken } from "./one-time-store.ts";
import { DISPLAY_NAME_LENGTH_MAX } from "./schema.ts";
import { type Session, startSession } from "./sessions.ts";
import { claimLogins } from "./signup.ts";
import { findIdentityUser, insertIdentity, insertUser, lockIdentity } from "./store.ts";
import { type Validating, postValidation } from "./validations.ts";

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
 * Takes somebody in who came back from a provider; answers the one-time code that stands for them. Who
 * is known signs in; who is not gets an account; an address that an account has is never joined to it.
 *
 * @throws Fault conflict when another account has the address, or the identity
 */
export async function arrive(
  ctx: Ctx,
  app: Social,
  { provider, profile, linkTo, language }: Arrived,
): Promise<string> {
  const { subject } = profile;
  const label = (profile.email ?? profile.name ?? null)?.slice(0, DISPLAY_NAME_LENGTH_MAX) ?? null;
  const waiting: Waiting = { provider, subject, label };
  const known = await findIdentityUser(ctx.tx, waiting);
  if (linkTo !== undefined) {
    if (known !== undefined && known !== linkTo)
      throw new Fault("conflict", "This way of signing in belongs to another account.");
    return newCode(ctx, linkTo, app.sealer.seal(waiting));
  }
  const userId = known ?? (await findOrJoin(ctx, app, { waiting, profile, language }));
  return newCode(ctx, userId, null);
}

async function newCode(ctx: Ctx, userId: string, data: string | null): Promise<string> {
  const { token, hash } = newOneTimeToken();
  await insertOneTimeToken(ctx.tx, {
    hash,
    purpose: "exchange",
    user_id: userId,
    email: null,
    data,
    created_at: ctx.now,
    expires_at: new Date(ctx.now.getTime() + CODE_SECONDS * 1_000),
  });
  return token;
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
 * Turns a one-time code into a session. One that adds an identity does so here, for the user whose token
 * came with it: a link that somebody else made a browser follow gives nobody a way in. They are told by mail.
 *
 * @throws Fault invalid for a code that is unknown, used, expired or another user's; conflict
 */
export async function exchangeCode(
  ctx: Ctx,
  { sealer, outbox }: Pick<Social, "sealer" | "outbox">,
  { code, label, language }: { code: string; label: string; language: MailLanguage },
): Promise<Session> {
  const held = await useToken(ctx, { token: code, purpose: "exchange" });
  if (!held) throw unknownCode();
  const { userId, data } = held;
  if (data !== null) {
    const isOwn = ctx.actor.kind === "user" && ctx.actor.userId === userId;
    // What this service sealed it made itself, so its shape is known.
    const waiting = sealer.open(data) as Waiting | undefined;
    if (!isOwn || !waiting) throw unknownCode();
    await linkIdentity(toCtx(ctx), { outbox }, { userId, language, ...waiting });
  }
  return startSession(ctx, { userId, label, event: "user.signed-in" });
}

/** The answer to a code that does not work, whatever the reason. */
export function unknownCode(): Fault {
  const message = "is unknown, used or expired: sign in again";
  return new Fault("invalid", `/code: ${message}`, { faults: [{ path: "/code", message }] });
}
