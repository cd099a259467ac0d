import { type Ctx, toCtx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events.ts";
import type { UsersTable } from "../../../platform/db/tables.ts";
import type { Outbox } from "../mails/outbox.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import { deleteOneTimeTokens } from "../sessions/one-time-tokens-store.ts";
import {
  deleteOtherAccessTokens,
  findPasswordHash,
  getUserById,
  lockUser,
  putPasswordHash,
} from "../sessions/store.ts";

export interface NewPassword {
  userId: string;
  passwordHash: string;
  language: MailLanguage;
  /** The token that stays; undefined: none does. */
  exceptTokenId: string | undefined;
  /** Providers that were removed with it, which the mail tells. */
  removed?: string[];
}

/**
 * Sets a user's password, ends their other sessions, their API keys and their open resets (wire
 * section 1), and tells them by mail. A user without a local identity gets one.
 */
export async function putPassword(
  ctx: Ctx,
  { outbox }: { outbox: Outbox },
  { userId, passwordHash, language, exceptTokenId, removed = [] }: NewPassword,
): Promise<UsersTable> {
  await lockUser(ctx.tx, userId);
  const user = await getUserById(ctx.tx, userId);
  await putPasswordHash(ctx.tx, { userId, passwordHash, now: ctx.now });
  await deleteOneTimeTokens(ctx.tx, { userId, purpose: "reset" });
  await deleteOneTimeTokens(ctx.tx, { userId, purpose: "exchange" });
  await deleteOtherAccessTokens(ctx.tx, userId, exceptTokenId);
  const letter = { kind: "password-changed", removed } as const;
  await outbox.postLetter(ctx.tx, ctx.now, { to: user.email, language, letter });
  const asUser = toCtx({
    ...ctx,
    actor: { kind: "user", userId, tokenId: exceptTokenId ?? "" },
  });
  await recordEvent(asUser, { name: "password.changed" });
  return user;
}

/**
 * Whether a password that was checked before the transaction still is the user's, who is locked: what begins
 * with an old password does not outlive the new one.
 */
export async function isStillPassword(
  { tx }: Pick<Ctx, "tx">,
  { userId, passwordHash }: { userId: string; passwordHash: string | undefined },
): Promise<boolean> {
  await lockUser(tx, userId);
  return (await findPasswordHash(tx, userId)) === passwordHash;
}
