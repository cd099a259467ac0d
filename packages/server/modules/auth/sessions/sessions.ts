import { type Ctx, toCtx } from "../../../kernel/ctx.ts";
import { Fault } from "../../../platform/errors.ts";
import { recordEvent } from "../../../kernel/events.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import { hashToken, newAccessToken } from "../../../platform/crypto/tokens.ts";
import { findUserById } from "../../../kernel/users-store.ts";
import { getCaller } from "../users/caller.ts";
import { assertEnabled } from "../accounts/disable.ts";
import { deleteOneTimeTokens } from "./one-time-tokens-store.ts";
import {
  type WhichTokens,
  deleteAccessToken,
  deleteAccessTokens,
  deleteOldestAccessTokens,
  findAccessToken,
  insertAccessToken,
  lockUser,
} from "./store.ts";

/** A token is valid for 15 days (specification, Authentication 3). */
const ACCESS_TOKEN_DAYS = 15;
const DAY_MS = 86_400_000;
/** More sessions than a person or a fleet of scripts has; the oldest end when there are more. */
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
    /** When its user showed that it is they; null: now, by signing in. */
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

/** Ends the session that the request was made with: its token is refused from now on. */
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

/** Ends the session of a browser's cookie that another takes the place of; a token that is none is nothing. */
export async function endReplaced(ctx: Ctx, token: string | undefined): Promise<void> {
  const found = token && (await findAccessToken(ctx.tx, hashToken(token), ctx.now));
  if (!found || found.scopes !== null) return;
  const { id: tokenId, userId } = found;
  const of = toCtx({ ...ctx, actor: { kind: "user", userId, tokenId } });
  const deleted = await deleteAccessToken(ctx.tx, of.scope, tokenId);
  if (deleted) await recordEvent(of, { name: "user.signed-out", data: { tokenId } });
}

/**
 * Ends somebody's sessions, keys or both, at once, for the operator; a sign-in that was on its way ends with them.
 * @throws Fault not-found
 */
export async function endTokensOf(
  ctx: Ctx,
  { userId, kind }: { userId: string; kind: WhichTokens["kind"] },
): Promise<void> {
  await lockUser(ctx.tx, userId);
  if (!(await findUserById(ctx.tx, userId)))
    throw new Fault("not-found", `There is no user ${userId}.`);
  await deleteOneTimeTokens(ctx.tx, { userId, purpose: "exchange" });
  const scope = { kind: "user", userId } as const;
  const count = await deleteAccessTokens(ctx.tx, scope, { kind, exceptId: undefined });
  const name = kind === "key" ? "key.revoked" : "user.signed-out";
  await recordEvent(ctx, { name, data: { userId, count, kind: kind ?? "all" } });
}

/** Ends the caller's sessions, keys or both, at once. */
export async function endTokens(ctx: Ctx, which: WhichTokens): Promise<void> {
  const count = await deleteAccessTokens(ctx.tx, ctx.scope, which);
  const name = which.kind === "key" ? "key.revoked" : "user.signed-out";
  await recordEvent(ctx, { name, data: { count, kind: which.kind ?? "all" } });
}
