import type { Ctx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { Fault, assertNoFaults } from "../../../platform/errors.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import type { FactorChecks } from "../factors/ports.ts";
import { type Proof, useProof, verifyCode } from "../factors/proofs.ts";
import { findConfirmedFactor } from "../factors/store.ts";
import { toNetwork } from "../limits/network.ts";
import type { Outbox } from "../mails/outbox.ts";
import { assertRecent, toRecentUntil } from "../sessions/recent.ts";
import { updateConfirmedAt } from "../sessions/store.ts";
import { getCaller } from "../users/users.ts";
import { isStillPassword } from "./passwords.ts";
import type { PasswordsApp } from "./ports.ts";
import { findPasswordHash } from "./store.ts";

type PasswordChecks = FactorChecks & Pick<PasswordsApp, "passwords" | "now">;

/** The proof of a user who confirms a session; undefined without one. */
export type Confirmation =
  | { by: "code"; proof: Proof }
  | { by: "password"; hash: string }
  | undefined;

interface GivenProof {
  password: string | undefined;
  code: string | undefined;
}

/**
 * Checks the password or code of a signed-in user, outside any transaction. A user with a second factor needs a code, since
 * a stolen password must not remove the factor. Counted as at sign-in.
 *
 * @throws Fault invalid (401 is only for sign-in), too-many, busy
 */
export async function verifyConfirmation(
  app: PasswordChecks,
  { userId, ip, ...given }: GivenProof & { userId: string; ip: string },
): Promise<Confirmation> {
  const { password, code } = given;
  if (password === undefined && code === undefined) return undefined;
  if (await findConfirmedFactor(app.db, userId)) {
    if (code === undefined) throw toInvalidFault("/code", "is required with a second factor");
    const asked = { userId, code, ip, now: app.now() };
    return { by: "code", proof: await verifyCode(app, asked).catch(toInvalid) };
  }
  if (password === undefined)
    throw toInvalidFault("/password", "is required without a second factor");
  const hash = await verifyPassword(app, { userId, password, ip });
  if (hash === undefined) throw toInvalidFault("/password", "is not your password");
  return { by: "password", hash };
}

/**
 * Checks the password of a signed-in user, counted as at sign-in. Returns its hash, or undefined when it is wrong.
 * @throws Fault too-many, busy
 */
export function verifyPassword(
  { db, attempts, passwords, now }: PasswordChecks,
  { userId, password, ip }: { userId: string; password: string; ip: string },
): Promise<string | undefined> {
  return attempts.countCheck({ account: ["user", userId], ip, now: now() }, async () => {
    const hash = await findPasswordHash(db, userId);
    return (await passwords.verify(hash, password, toNetwork(ip))) ? hash : undefined;
  });
}

function toInvalid(error: unknown): never {
  const isWrong = error instanceof Fault && error.kind === "wrong-code";
  throw isWrong ? toInvalidFault("/code", "is wrong or already used") : error;
}

function toInvalidFault(path: string, message: string): Fault {
  return new Fault("invalid", `${path}: ${message}`, { faults: [{ path, message }] });
}

/**
 * Makes the caller's session recent by a confirmation; without one it must be recent already. Returns the end of that
 * time.
 *
 * @throws Fault confirmation-needed, invalid when the confirmation is outdated
 */
export async function confirmSession(
  ctx: Ctx,
  { outbox }: { outbox: Outbox },
  { confirmation, language }: { confirmation: Confirmation; language: MailLanguage },
): Promise<Date> {
  const { userId, tokenId } = getCaller(ctx.actor);
  if (!confirmation) return toRecentUntil(await assertRecent(ctx));
  if (confirmation.by === "code") {
    const { proof } = confirmation;
    await useProof(ctx, { outbox }, { userId, proof, language }).catch(toInvalid);
  } else if (!(await isStillPassword(ctx, { userId, passwordHash: confirmation.hash })))
    assertNoFaults([{ path: "/password", message: "is not your password" }]);
  else if (await findConfirmedFactor(ctx.tx, userId))
    // The factor was enabled since the password was checked.
    throw toInvalidFault("/code", "is required with a second factor");
  await updateConfirmedAt(ctx.tx, tokenId, ctx.now);
  await recordEvent(ctx, { name: "session.confirmed", data: { by: confirmation.by } });
  return toRecentUntil(ctx.now);
}
