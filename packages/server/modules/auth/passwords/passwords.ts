import { type Ctx, toCtx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import type { UsersTable } from "../../../platform/db/tables.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import type { Outbox } from "../mails/outbox.ts";
import { deleteOneTimeTokens } from "../sessions/one-time-tokens-store.ts";
import { deleteAccessTokens } from "../sessions/store.ts";
import { getUserById, lockUser } from "../users/store.ts";
import { findPasswordHash, putPasswordHash } from "./store.ts";

export interface NewPassword {
  userId: string;
  passwordHash: string;
  language: MailLanguage;
  /** The token that stays valid, if any. */
  exceptTokenId: string | undefined;
  /** The providers of the identities removed with it, named in the mail. */
  removed?: string[];
}

/**
 * Sets a user's password, revokes their other sessions, API keys and pending resets (wire section 1), and notifies them
 * by mail. Adds a local identity if there is none.
 */
export async function putPassword(
  ctx: Ctx,
  { outbox }: { outbox: Outbox },
  { userId, passwordHash, language, exceptTokenId, removed = [] }: NewPassword,
): Promise<UsersTable> {
  await lockUser(ctx.tx, userId);
  const user = await getUserById(ctx.tx, userId);
  await putPasswordHash(ctx.tx, { userId, passwordHash, now: ctx.now });
  await deleteOneTimeTokens(ctx.tx, { userId, purposes: ["reset", "exchange"] });
  const scope = { kind: "user", userId } as const;
  await deleteAccessTokens(ctx.tx, scope, { exceptId: exceptTokenId });
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
 * Whether the password checked before the transaction is still current, with the user locked, so that no operation with
 * an old password completes after its change.
 */
export async function isStillPassword(
  { tx }: Pick<Ctx, "tx">,
  { userId, passwordHash }: { userId: string; passwordHash: string | undefined },
): Promise<boolean> {
  await lockUser(tx, userId);
  return (await findPasswordHash(tx, userId)) === passwordHash;
}
