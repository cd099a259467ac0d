import { type Ctx, toCtx } from "../../platform/ctx.ts";
import { type FieldFault, assertNoFaults } from "../../platform/errors.ts";
import { recordEvent } from "../../platform/events.ts";
import type { UsersTable } from "../../platform/db/tables.ts";
import type { Attempts } from "./attempts.ts";
import type { Outbox } from "./mails/outbox.ts";
import type { MailLanguage } from "../../platform/mail/languages.ts";
import { deleteOneTimeTokens } from "./one-time-store.ts";
import { deleteOtherAccessTokens, getUserById, putPasswordHash } from "./store.ts";

interface NewPassword {
  userId: string;
  passwordHash: string;
  language: MailLanguage;
  /** The token that stays; undefined: none does. */
  exceptTokenId: string | undefined;
}

/**
 * Sets a user's password, ends their other sessions, their API keys and their open resets (wire
 * section 1), and tells them by mail. A user without a local identity gets one.
 */
export async function putPassword(
  ctx: Ctx,
  { outbox }: { outbox: Outbox },
  { userId, passwordHash, language, exceptTokenId }: NewPassword,
): Promise<UsersTable> {
  const user = await getUserById(ctx.tx, userId);
  await putPasswordHash(ctx.tx, { userId, passwordHash, now: ctx.now });
  await deleteOneTimeTokens(ctx.tx, { userId, purpose: "reset" });
  await deleteOneTimeTokens(ctx.tx, { userId, purpose: "exchange" });
  await deleteOtherAccessTokens(ctx.tx, userId, exceptTokenId);
  const letter = { kind: "password-changed" } as const;
  await outbox.postLetter(ctx.tx, ctx.now, { to: user.email, language, letter });
  const asUser = toCtx({
    ...ctx,
    actor: { kind: "user", userId, tokenId: exceptTokenId ?? "" },
  });
  await recordEvent(asUser, { name: "password.changed" });
  return user;
}

interface GivenPasswords {
  current: string;
  new: string;
  confirm: string;
}

/** Throws unless the new password was given twice the same. */
export function assertConfirmed(given: GivenPasswords): void {
  if (given.new === given.confirm) return;
  assertNoFaults([{ path: "/confirm", message: "must be the same as new" }]);
}

/**
 * Checks the password that a signed-in user has; a stolen session is slowed down like a stranger.
 *
 * @throws Fault invalid when it is another one (401 is for sign-in alone), too-many, busy
 */
export async function verifyCurrent(
  attempts: Attempts,
  attempt: { userId: string; ip: string; now: Date },
  check: () => Promise<boolean>,
): Promise<void> {
  const { userId, ip, now } = attempt;
  const fault: FieldFault = { path: "/current", message: "is not your password" };
  const right = await attempts.checkOnce({ account: ["user", userId], ip, now }, check);
  if (!right) assertNoFaults([fault]);
}
