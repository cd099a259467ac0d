import type { Ctx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { Fault, assertNoFaults } from "../../../platform/errors.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import { notifyUser } from "../mails/notify.ts";
import type { Outbox } from "../mails/outbox.ts";
import { assertRecent } from "../sessions/recent.ts";
import { updateConfirmedAt } from "../sessions/store.ts";
import { getCaller, lockNamedUser } from "../users/users.ts";
import { getUserById, lockUser } from "../users/store.ts";
import { findStep, newFactorSecret, newRecoveryCodes, toFactorUri } from "./codes.ts";
import type { FactorsApp } from "./ports.ts";
import { openFactorSecret } from "./proofs.ts";
import {
  confirmPendingFactor,
  deleteFactor,
  findConfirmedFactor,
  findFactor,
  putPendingFactor,
  putRecoveryCodes,
} from "./store.ts";

/** A pending factor expires unless it is confirmed within an hour. */
const PENDING_MS = 3_600_000;

/**
 * Starts a second factor of the caller. Returns the secret for an authenticator app, once. No code is required until one
 * confirms that the app has the secret.
 *
 * @throws Fault confirmation-needed, conflict when the caller has one
 */
export async function beginFactor(
  ctx: Ctx,
  { factorSealer, publicUrl }: Pick<FactorsApp, "factorSealer" | "publicUrl">,
): Promise<{ secret: string; uri: string }> {
  const { userId } = getCaller(ctx.actor);
  await assertRecent(ctx);
  await lockUser(ctx.tx, userId);
  if (await findConfirmedFactor(ctx.tx, userId))
    throw new Fault("conflict", "You already have a second factor. Remove it first.");
  const secret = newFactorSecret();
  const sealed = factorSealer.seal({ userId, secret });
  await putPendingFactor(ctx.tx, { userId, secret: sealed, now: ctx.now });
  const { email, username } = await getUserById(ctx.tx, userId);
  const issuer = `Avow (${new URL(publicUrl).hostname})`;
  return { secret, uri: toFactorUri(secret, { issuer, label: email ?? username }) };
}

/**
 * Enables the pending factor with one of its codes. Returns its recovery codes, once. Other sessions stay valid until
 * they are revoked (`DELETE /v1/auth/tokens`).
 *
 * @throws Fault confirmation-needed, conflict without a factor started within the hour, invalid for a wrong code
 */
export async function confirmFactor(
  ctx: Ctx,
  app: Pick<FactorsApp, "factorSealer" | "log" | "outbox">,
  { code, language }: { code: string; language: MailLanguage },
): Promise<string[]> {
  const { userId, tokenId } = getCaller(ctx.actor);
  await assertRecent(ctx);
  await lockUser(ctx.tx, userId);
  const pending = await findFactor(ctx.tx, userId);
  const isOpen = pending?.confirmed_at === null && ctx.now < endOf(pending.created_at);
  if (!isOpen) throw new Fault("conflict", "You have no pending second factor. Start one first.");
  const secret = openFactorSecret(app, { userId, sealed: pending.secret });
  const step = secret === undefined ? undefined : findStep(secret, code, ctx.now);
  if (step === undefined) {
    assertNoFaults([{ path: "/code", message: "is not the current code of this secret" }]);
    return [];
  }
  await confirmPendingFactor(ctx.tx, { userId, step, now: ctx.now });
  // This session has proved the factor; other sessions have not.
  await updateConfirmedAt(ctx.tx, tokenId, ctx.now);
  const { codes, hashes } = newRecoveryCodes();
  await putRecoveryCodes(ctx.tx, userId, hashes);
  await recordEvent(ctx, { name: "factor.added" });
  await notifyUser(ctx, app, { userId, language, letter: { kind: "factor-added" } });
  return codes;
}

const endOf = (startedAt: Date): Date => new Date(startedAt.getTime() + PENDING_MS);

/** Removes the caller's second factor. @throws Fault confirmation-needed, not-found */
export async function removeFactor(
  ctx: Ctx,
  app: { outbox: Outbox },
  { language }: { language: MailLanguage },
): Promise<void> {
  const { userId } = getCaller(ctx.actor);
  await assertRecent(ctx);
  await lockUser(ctx.tx, userId);
  const removed = await deleteFactor(ctx.tx, userId);
  if (!removed) throw new Fault("not-found", "You have no second factor.");
  // A pending factor was never required, so its removal is not notified.
  if (removed.confirmed_at === null) return;
  await recordEvent(ctx, { name: "factor.removed" });
  await notifyUser(ctx, app, { userId, language, letter: { kind: "factor-removed", by: "user" } });
}

/**
 * Removes the second factor of a user who has lost it, for the operator; does nothing for a user without one.
 * @throws Fault not-found
 */
export async function removeUserFactor(
  ctx: Ctx,
  app: { outbox: Outbox },
  { userId, language }: { userId: string; language: MailLanguage },
): Promise<void> {
  await lockNamedUser(ctx, userId);
  const removed = await deleteFactor(ctx.tx, userId);
  if (!removed || removed.confirmed_at === null) return;
  await recordEvent(ctx, { name: "factor.removed", data: { userId } });
  await notifyUser(ctx, app, {
    userId,
    language,
    letter: { kind: "factor-removed", by: "operator" },
  });
}

/**
 * Creates ten recovery codes, which replace the previous ones. Returns them, once.
 * @throws Fault confirmation-needed, not-found where the caller has no second factor
 */
export async function renewRecoveryCodes(
  ctx: Ctx,
  app: { outbox: Outbox },
  { language }: { language: MailLanguage },
): Promise<string[]> {
  const { userId } = getCaller(ctx.actor);
  await assertRecent(ctx);
  await lockUser(ctx.tx, userId);
  if (!(await findConfirmedFactor(ctx.tx, userId)))
    throw new Fault("not-found", "You have no second factor.");
  const { codes, hashes } = newRecoveryCodes();
  await putRecoveryCodes(ctx.tx, userId, hashes);
  await recordEvent(ctx, { name: "factor.recovery-codes-made" });
  await notifyUser(ctx, app, { userId, language, letter: { kind: "recovery-codes-made" } });
  return codes;
}
