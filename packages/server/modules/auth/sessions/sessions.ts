import { type Ctx, toCtx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import { hashToken, newAccessToken } from "../../../platform/crypto/tokens.ts";
import { Fault } from "../../../platform/errors.ts";
import type { SigninAttempts } from "../limits/signin-attempts.ts";
import { assertEnabled, getCaller, lockNamedUser } from "../users/users.ts";
import { deleteOneTimeTokens } from "./one-time-tokens-store.ts";
import {
  type TokenFilter,
  deleteAccessToken,
  deleteAccessTokens,
  deleteOldestAccessTokens,
  findAccessToken,
  insertAccessToken,
} from "./store.ts";

/** A token is valid for 15 days (specification, Authentication 3). */
const ACCESS_TOKEN_DAYS = 15;
const DAY_MS = 86_400_000;
/** Exceeds the sessions of any person or fleet of scripts. Beyond it, the oldest end. */
const SESSIONS_MAX = 1_000;
const LABEL_LENGTH_MAX = 200;

export interface Session {
  token: string;
  expiresAt: Date;
  userId: string;
}

/** Starts a session of a user and records why: `user.joined` or `user.signed-in`. @throws Fault account-disabled */
export async function startSession(
  ctx: Ctx,
  {
    userId,
    label,
    event,
    confirmedAt = null,
  }: {
    userId: string;
    label: string;
    event: "user.joined" | "user.signed-in";
    /** The time of the confirmation that the session takes over; null: now, by signing in. */
    confirmedAt?: Date | null;
  },
): Promise<Session> {
  await assertEnabled(ctx, userId);
  const { token, hash } = newAccessToken();
  const tokenId = newDocumentId(ctx.now);
  const expiresAt = new Date(ctx.now.getTime() + ACCESS_TOKEN_DAYS * DAY_MS);
  await insertAccessToken(ctx.tx, {
    id: tokenId,
    hash,
    user_id: userId,
    label: label.slice(0, LABEL_LENGTH_MAX).toWellFormed(),
    created_at: ctx.now,
    last_used_at: ctx.now,
    expires_at: expiresAt,
    confirmed_at: confirmedAt,
  });
  await deleteOldestAccessTokens(ctx.tx, userId, SESSIONS_MAX);
  const asUser = toCtx({ ...ctx, actor: { kind: "user", userId, tokenId } });
  await recordEvent(asUser, { name: event, data: { tokenId } });
  return { token, expiresAt, userId };
}

/** Runs `start`, and remembers the address of its session: see `SigninAttempts.rememberAddress`. */
export async function startFromAddress(
  ctx: Ctx,
  { attempts, ip }: { attempts: SigninAttempts; ip: string },
  start: (ctx: Ctx) => Promise<Session>,
): Promise<Session> {
  const session = await start(ctx);
  await attempts.rememberAddress(ctx.tx, { userId: session.userId, ip, now: ctx.now });
  return session;
}

/** Ends the session of the request. */
export function signOut(ctx: Ctx): Promise<void> {
  return endSession(ctx, getCaller(ctx.actor).tokenId);
}

/** Ends one of the caller's sessions or keys. @throws Fault not-found */
export async function endSession(ctx: Ctx, tokenId: string): Promise<void> {
  const deleted = await deleteAccessToken(ctx.tx, ctx.scope, tokenId);
  if (!deleted) throw new Fault("not-found", "You have no such token.");
  const name = deleted.scopes === null ? "user.signed-out" : "key.revoked";
  await recordEvent(ctx, { name, data: { tokenId } });
}

/** Ends the session of a browser's cookie when another replaces it; ignores an invalid token. */
export async function endReplaced(ctx: Ctx, token: string | undefined): Promise<void> {
  const found = token && (await findAccessToken(ctx.tx, hashToken(token), ctx.now));
  if (!found || found.scopes !== null) return;
  const { id: tokenId, userId } = found;
  const asUser = toCtx({ ...ctx, actor: { kind: "user", userId, tokenId } });
  const deleted = await deleteAccessToken(ctx.tx, asUser.scope, tokenId);
  if (deleted) await recordEvent(asUser, { name: "user.signed-out", data: { tokenId } });
}

/**
 * Ends a user's sessions, keys or both, at once, for the operator, including a concurrent sign-in.
 * @throws Fault not-found
 */
export async function endUserTokens(
  ctx: Ctx,
  { userId, kind }: { userId: string; kind: TokenFilter["kind"] },
): Promise<void> {
  await lockNamedUser(ctx, userId);
  await deleteOneTimeTokens(ctx.tx, { userId, purposes: ["exchange"] });
  const scope = { kind: "user", userId } as const;
  const count = await deleteAccessTokens(ctx.tx, scope, { kind });
  const name = kind === "key" ? "key.revoked" : "user.signed-out";
  await recordEvent(ctx, { name, data: { userId, count, kind: kind ?? "all" } });
}

/** Ends the caller's sessions, keys or both, at once. */
export async function endTokens(ctx: Ctx, filter: TokenFilter): Promise<void> {
  const count = await deleteAccessTokens(ctx.tx, ctx.scope, filter);
  const name = filter.kind === "key" ? "key.revoked" : "user.signed-out";
  await recordEvent(ctx, { name, data: { count, kind: filter.kind ?? "all" } });
}
