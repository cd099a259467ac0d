import type { Ctx } from "../../../kernel/ctx.ts";
import { Fault, assertNoFaults } from "../../../platform/errors.ts";
import { recordEvent } from "../../../kernel/events.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import { findUserById } from "../../../kernel/users-store.ts";
import { getCaller } from "../users/caller.ts";
import { assertRecent } from "../passwords/confirmations.ts";
import { updateConfirmedAt } from "../sessions/recent-store.ts";
import { findStep, newFactorSecret, newRecoveryCodes, toFactorUri } from "./codes.ts";
import { type Proving, openFactorSecret } from "./proofs.ts";
import {
  confirmBegunFactor,
  deleteFactor,
  findConfirmedFactor,
  findFactor,
  putBegunFactor,
  putRecoveryCodes,
} from "./store.ts";
import type { Outbox } from "../mails/outbox.ts";
import type { FactorLetter } from "../mails/letters.ts";
import { getUserById, lockUser } from "../sessions/store.ts";

/** A factor that was begun has to be confirmed within an hour. */
const BEGUN_MS = 3_600_000;

interface Keeping extends Pick<Proving, "factorSealer" | "log"> {
  outbox: Outbox;
  publicUrl: string;
}

/**
 * Begins a second factor of the caller's: the secret for an authenticator app, answered once. It is asked for nowhere
 * until a code of it confirms that the app has it.
 *
 * @throws Fault confirmation-needed, conflict where they have one
 */
export async function beginFactor(
  ctx: Ctx,
  { factorSealer, publicUrl }: Keeping,
): Promise<{ secret: string; uri: string }> {
  const { userId } = getCaller(ctx.actor);
  await assertRecent(ctx);
  await lockUser(ctx.tx, userId);
  if (await findConfirmedFactor(ctx.tx, userId))
    throw new Fault("conflict", "You have a second factor: remove it first.");
  const secret = newFactorSecret();
  const sealed = factorSealer.seal({ userId, secret });
  await putBegunFactor(ctx.tx, { userId, secret: sealed, now: ctx.now });
  const { email, username } = await getUserById(ctx.tx, userId);
  const issuer = `Avow (${new URL(publicUrl).hostname})`;
  return { secret, uri: toFactorUri(secret, { issuer, label: email ?? username }) };
}

/**
 * Makes the factor that was begun one that is asked for, by a code of it; answers its recovery codes, once. Sessions go
 * on: who wants others to end says so (`DELETE /v1/auth/tokens`).
 *
 * @throws Fault confirmation-needed, conflict where none was begun within the hour, invalid for a wrong code
 */
export async function confirmFactor(
  ctx: Ctx,
  app: Keeping,
  { code, language }: { code: string; language: MailLanguage },
): Promise<string[]> {
  const { userId, tokenId } = getCaller(ctx.actor);
  await assertRecent(ctx);
  await lockUser(ctx.tx, userId);
  const begun = await findFactor(ctx.tx, userId);
  const isOpen = begun?.confirmed_at === null && ctx.now < endOf(begun.created_at);
  if (!isOpen) throw new Fault("conflict", "You have begun no second factor: begin one first.");
  const secret = openFactorSecret(app, { userId, sealed: begun.secret });
  const step = secret === undefined ? undefined : findStep(secret, code, ctx.now);
  if (step === undefined) {
    assertNoFaults([{ path: "/code", message: "is not the present code of this secret" }]);
    return [];
  }
  await confirmBegunFactor(ctx.tx, { userId, step, now: ctx.now });
  // This session has shown the factor; those of before have not.
  await updateConfirmedAt(ctx.tx, tokenId, ctx.now);
  const { codes, hashes } = newRecoveryCodes();
  await putRecoveryCodes(ctx.tx, userId, hashes);
  await recordEvent(ctx, { name: "factor.added" });
  await tell(ctx, app, { userId, language, letter: { kind: "factor-added" } });
  return codes;
}

const endOf = (begunAt: Date): Date => new Date(begunAt.getTime() + BEGUN_MS);

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
  // Nobody was asked for one that was only begun.
  if (removed.confirmed_at === null) return;
  await recordEvent(ctx, { name: "factor.removed" });
  await tell(ctx, app, { userId, language, letter: { kind: "factor-removed", by: "user" } });
}

/**
 * Removes the second factor of somebody who has lost it, for the operator; of who has none, nothing.
 * @throws Fault not-found
 */
export async function removeFactorOf(
  ctx: Ctx,
  app: { outbox: Outbox },
  { userId, language }: { userId: string; language: MailLanguage },
): Promise<void> {
  await lockUser(ctx.tx, userId);
  if (!(await findUserById(ctx.tx, userId)))
    throw new Fault("not-found", `There is no user ${userId}.`);
  const removed = await deleteFactor(ctx.tx, userId);
  if (!removed || removed.confirmed_at === null) return;
  await recordEvent(ctx, { name: "factor.removed", data: { userId } });
  await tell(ctx, app, { userId, language, letter: { kind: "factor-removed", by: "operator" } });
}

/**
 * Makes ten recovery codes in place of those before; answers them once.
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
  await tell(ctx, app, { userId, language, letter: { kind: "recovery-codes-made" } });
  return codes;
}

async function tell(
  ctx: Ctx,
  { outbox }: { outbox: Outbox },
  told: { userId: string; language: MailLanguage; letter: FactorLetter },
): Promise<void> {
  const { userId, language, letter } = told;
  const { email } = await getUserById(ctx.tx, userId);
  await outbox.postLetter(ctx.tx, ctx.now, { to: email, language, letter });
}
