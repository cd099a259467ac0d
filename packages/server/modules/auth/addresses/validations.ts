import { hrefOf, paths } from "@avow/contract/urls";
import { type Ctx, toCtx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { hashToken } from "../../../platform/crypto/tokens.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { UsersTable } from "../../../platform/db/tables.ts";
import { Fault } from "../../../platform/errors.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import { deleteOneTimeTokens, findOneTimeToken } from "../sessions/one-time-tokens-store.ts";
import { createToken } from "../sessions/one-time-tokens.ts";
import { getUserById, updateUserById } from "../users/store.ts";
import type { AddressesApp } from "./ports.ts";

const VALIDATION_MS = 86_400_000;

/** Mails a link that confirms the user's address, and replaces earlier ones. */
export async function postValidation(
  ctx: Ctx,
  { outbox, publicUrl }: Pick<AddressesApp, "outbox" | "publicUrl">,
  { userId, email, language }: { userId: string; email: string; language: MailLanguage },
): Promise<void> {
  const purpose = "validate";
  await deleteOneTimeTokens(ctx.tx, { userId, purposes: [purpose] });
  const token = await createToken(ctx, { purpose, userId, email, lifetimeMs: VALIDATION_MS });
  // Links to a page with a button, so that programs that open links, such as mail scanners, do not confirm.
  const url = hrefOf(publicUrl, paths.confirmPage, {}, { token });
  const letter = { kind: "validate", url } as const;
  await outbox.postLetter(ctx.tx, ctx.now, { to: email, language, letter });
}

/**
 * The user whose address a mailed token confirms.
 * @throws Fault not-found when it is unknown or expired, or the user's address has changed
 */
export async function getTokenUser(
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
 * Confirms the address that the token was mailed to. The token stays valid until it expires.
 * @throws Fault as `getTokenUser`
 */
export async function validateEmail(ctx: Ctx, token: string): Promise<void> {
  const user = await getTokenUser(ctx.tx, { token, now: ctx.now });
  if (user.email_verified_at !== null) return;
  await updateUserById(ctx.tx, user.id, { email_verified_at: ctx.now });
  const actor = { kind: "user", userId: user.id, tokenId: "" } as const;
  await recordEvent(toCtx({ ...ctx, actor }), { name: "user.email-confirmed" });
}
