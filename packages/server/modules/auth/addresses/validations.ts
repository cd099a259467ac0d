import { type Ctx, toCtx } from "../../../kernel/ctx.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { UsersTable } from "../../../platform/db/tables.ts";
import { Fault } from "../../../platform/errors.ts";
import { recordEvent } from "../../../kernel/events.ts";
import { hashToken, newOneTimeToken } from "../../../platform/crypto/tokens.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import type { Outbox } from "../mails/outbox.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import {
  deleteOneTimeTokens,
  findOneTimeToken,
  insertOneTimeToken,
} from "../sessions/one-time-tokens-store.ts";
import { getUserById, updateUserById } from "../sessions/store.ts";

const VALIDATION_MS = 86_400_000;

export interface Validating {
  outbox: Outbox;
  publicUrl: string;
}

/** Posts a link that confirms the user's address, in place of those posted before. */
export async function postValidation(
  ctx: Ctx,
  { outbox, publicUrl }: Validating,
  user: { userId: string; email: string; language: MailLanguage },
): Promise<void> {
  const { token, hash } = newOneTimeToken();
  await deleteOneTimeTokens(ctx.tx, { userId: user.userId, purpose: "validate" });
  await insertOneTimeToken(ctx.tx, {
    hash,
    purpose: "validate",
    user_id: user.userId,
    email: user.email,
    created_at: ctx.now,
    expires_at: new Date(ctx.now.getTime() + VALIDATION_MS),
  });
  // To a page with a button: what opens links by itself, as scanners of mails do, confirms nothing.
  const url = hrefOf(publicUrl, paths.confirmPage, {}, { token });
  await outbox.postLetter(ctx.tx, ctx.now, {
    to: user.email,
    language: user.language,
    letter: { kind: "validate", url },
  });
}

/**
 * Whose address a mailed token confirms.
 * @throws Fault not-found when it is unknown or expired, or the user has another address by now
 */
export async function getConfirmed(
  db: Db | Tx,
  { token, now }: { token: string; now: Date },
): Promise<UsersTable & { email: string }> {
  const held = await findOneTimeToken(db, { hash: hashToken(token), purpose: "validate", now });
  const user = held && (await getUserById(db, held.userId));
  if (!user || user.email === null || user.email !== held.email)
    throw new Fault("not-found", "This link is unknown or expired.");
  return { ...user, email: user.email };
}

/**
 * Confirms the address that the token was mailed to. The token says the same again until it ends.
 * @throws Fault as `getConfirmed`
 */
export async function validateEmail(ctx: Ctx, token: string): Promise<void> {
  const user = await getConfirmed(ctx.tx, { token, now: ctx.now });
  if (user.email_verified_at !== null) return;
  await updateUserById(ctx.tx, user.id, { email_verified_at: ctx.now });
  const actor = { kind: "user", userId: user.id, tokenId: "" } as const;
  await recordEvent(toCtx({ ...ctx, actor }), { name: "user.email-confirmed" });
}
