import { type Ctx, toCtx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { Fault } from "../../../platform/errors.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import { notifyUser } from "../mails/notify.ts";
import type { Outbox } from "../mails/outbox.ts";
import { lockUser } from "../users/store.ts";
import { findStep, isAppCode, toRecoveryHash } from "./codes.ts";
import type { FactorChecks } from "./ports.ts";
import {
  countRecoveryCodes,
  findConfirmedFactor,
  hasRecoveryCode,
  takeRecoveryCode,
  takeStep,
} from "./store.ts";

/** The proof of a second factor; `none` for a user without one. */
export type Proof =
  | { by: "none" }
  | { by: "code"; step: number }
  | { by: "recovery"; hash: Buffer };

interface GivenCode {
  userId: string;
  /** A code of an authenticator app, or a recovery code. */
  code: string | undefined;
  ip: string;
  now: Date;
}

/** The secret of a factor; undefined, with a warning in the log, when another SECRET_KEY sealed it. */
export function openFactorSecret(
  { factorSealer, log }: Pick<FactorChecks, "factorSealer" | "log">,
  { userId, sealed }: { userId: string; sealed: string },
): string | undefined {
  // Only this service seals secrets, so the shape is known.
  const opened = factorSealer.open(sealed) as { userId: string; secret: string } | undefined;
  if (opened?.userId === userId) return opened.secret;
  log.warn({ userId }, "second factor sealed with another SECRET_KEY, rejecting its codes");
  return undefined;
}

/**
 * Checks a code if the user has a second factor; undefined when it is wrong or already used. `useProof` consumes it in
 * the transaction of the protected change. Wrong codes of an authenticator app are limited by the hour; recovery
 * codes cannot be guessed. Callers count both as they count passwords.
 *
 * @throws Fault code-needed, too-many
 */
export async function checkCode(
  app: FactorChecks,
  { userId, code, ip, now }: GivenCode,
): Promise<Proof | undefined> {
  const factor = await findConfirmedFactor(app.db, userId);
  if (!factor) return { by: "none" };
  if (code === undefined) throw codeNeeded();
  if (!isAppCode(code)) {
    const hash = toRecoveryHash(code);
    return (await hasRecoveryCode(app.db, userId, hash)) ? { by: "recovery", hash } : undefined;
  }
  return app.attempts.countCode({ userId, ip, now }, async () => {
    const secret = openFactorSecret(app, { userId, sealed: factor.secret });
    const step = secret === undefined ? undefined : findStep(secret, code, now);
    if (step === undefined || step <= factor.last_step) return undefined;
    return { by: "code", step } as const;
  });
}

/**
 * Checks the code after a sign-in without a password, counted as passwords are.
 *
 * @throws Fault code-needed, wrong-code, too-many
 */
export async function verifyCode(app: FactorChecks, given: GivenCode): Promise<Proof> {
  const { userId, ip, now } = given;
  if (!(await findConfirmedFactor(app.db, userId))) return { by: "none" };
  const attempt = { account: ["user", userId] as ["user", string], ip, now };
  const proof = await app.attempts.countCheck(attempt, () => checkCode(app, given));
  if (!proof) throw wrongCode();
  return proof;
}

/**
 * Consumes the proof of a second factor, which may have been added or removed since the check. The use of a recovery code
 * is notified by mail.
 *
 * @throws Fault code-needed when a factor was added since the check, wrong-code when the code was used since
 */
export async function useProof(
  ctx: Ctx,
  { outbox }: { outbox: Outbox },
  { userId, proof, language }: { userId: string; proof: Proof; language: MailLanguage },
): Promise<void> {
  await lockUser(ctx.tx, userId);
  if (!(await findConfirmedFactor(ctx.tx, userId))) return;
  if (proof.by === "none") throw codeNeeded();
  if (proof.by === "code") {
    if (!(await takeStep(ctx.tx, { userId, step: proof.step }))) throw wrongCode();
    return;
  }
  if (!(await takeRecoveryCode(ctx.tx, userId, proof.hash))) throw wrongCode();
  const left = await countRecoveryCodes(ctx.tx, userId);
  const asUser = toCtx({ ...ctx, actor: { kind: "user", userId, tokenId: "" } });
  await recordEvent(asUser, { name: "factor.recovery-code-used", data: { left } });
  const letter = { kind: "recovery-code-used", left } as const;
  await notifyUser(ctx, { outbox }, { userId, language, letter });
}

function codeNeeded(): Fault {
  return new Fault(
    "code-needed",
    "This account has a second factor. Also send a code of its authenticator app, or a recovery code.",
  );
}

/** The error for any invalid code, which does not reveal the reason. */
export function wrongCode(): Fault {
  return new Fault("wrong-code", "The code is wrong or already used.");
}
