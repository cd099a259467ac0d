import type { Ctx } from "../../../kernel/ctx.ts";
import { toCtx } from "../../../kernel/ctx.ts";
import type { Db } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { recordEvent } from "../../../kernel/events.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import type { Sealer } from "../../../platform/crypto/sealing.ts";
import type { Attempts } from "../limits/signin-attempts.ts";
import { findStep, isOfApp, toRecoveryHash } from "./codes.ts";
import {
  countRecoveryCodes,
  findConfirmedFactor,
  hasRecoveryCode,
  takeRecoveryCode,
  takeStep,
} from "./store.ts";
import type { Outbox } from "../mails/outbox.ts";
import { getUserById, lockUser } from "../sessions/store.ts";

/** What a second factor was proven by; `none`: its user has none. */
export type Proof =
  | { by: "none" }
  | { by: "code"; step: number }
  | { by: "recovery"; hash: Buffer };

/** What codes are checked with. */
export interface Proving {
  db: Db;
  attempts: Attempts;
  factorSealer: Sealer;
  log: { warn(fields: object, message: string): void };
}

interface Given {
  userId: string;
  /** Of an authenticator app, or a recovery code. */
  code: string | undefined;
  ip: string;
  now: Date;
}

/** The secret of a factor; undefined where another SECRET_KEY sealed it, which the log tells. */
export function openFactorSecret(
  { factorSealer, log }: Pick<Proving, "factorSealer" | "log">,
  { userId, sealed }: { userId: string; sealed: string },
): string | undefined {
  // What this service sealed it made itself, so its shape is known.
  const opened = factorSealer.open(sealed) as { userId: string; secret: string } | undefined;
  if (opened?.userId === userId) return opened.secret;
  log.warn({ userId }, "a second factor was sealed with another SECRET_KEY: its codes are refused");
  return undefined;
}

/**
 * Checks a code where the user has a second factor, and uses nothing up: `useProof` does, in the transaction of what
 * it is given for. Undefined: it is wrong, or was used. Of an authenticator app few may be wrong in an hour; recovery
 * codes cannot be guessed. Callers count both as they count passwords.
 *
 * @throws Fault code-needed, too-many
 */
export async function checkCode(
  app: Proving,
  { userId, code, ip, now }: Given,
): Promise<Proof | undefined> {
  const factor = await findConfirmedFactor(app.db, userId);
  if (!factor) return { by: "none" };
  if (code === undefined) throw codeNeeded();
  if (!isOfApp(code)) {
    const hash = toRecoveryHash(code);
    return (await hasRecoveryCode(app.db, userId, hash)) ? { by: "recovery", hash } : undefined;
  }
  const found: { proof?: Proof } = {};
  await app.attempts.checkCode({ userId, ip, now }, async () => {
    const secret = openFactorSecret(app, { userId, sealed: factor.secret });
    const step = secret === undefined ? undefined : findStep(secret, code, now);
    if (step !== undefined && step > factor.last_step) found.proof = { by: "code", step };
    return found.proof !== undefined;
  });
  return found.proof;
}

/**
 * Checks the code of somebody who came in by something else than a password, counted as passwords are.
 *
 * @throws Fault code-needed, wrong-code, too-many
 */
export async function verifyCode(app: Proving, given: Given): Promise<Proof> {
  const { userId, ip, now } = given;
  if (!(await findConfirmedFactor(app.db, userId))) return { by: "none" };
  const found: { proof?: Proof | undefined } = {};
  await app.attempts.checkOnce({ account: ["user", userId], ip, now }, async () => {
    found.proof = await checkCode(app, given);
    return found.proof !== undefined;
  });
  if (!found.proof) throw wrongCode();
  return found.proof;
}

/**
 * Uses up what proved a second factor, of a user whose factor may have been added or removed since. A recovery code
 * that is used is told by mail.
 *
 * @throws Fault code-needed where a factor was added meanwhile, wrong-code where the code was used meanwhile
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
  const { email } = await getUserById(ctx.tx, userId);
  const letter = { kind: "recovery-code-used", left } as const;
  await outbox.postLetter(ctx.tx, ctx.now, { to: email, language, letter });
}

function codeNeeded(): Fault {
  return new Fault(
    "code-needed",
    "This account has a second factor: send a code of its authenticator app, or a recovery code, too.",
  );
}

/** The answer to a code that does not work, whatever the reason. */
export function wrongCode(): Fault {
  return new Fault("wrong-code", "The code is wrong, or was used already.");
}
