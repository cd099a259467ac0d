import type { Ctx } from "../../../kernel/ctx.ts";
import { assertNoFaults } from "../../../platform/errors.ts";
import type { Attempts } from "../limits/signin-attempts.ts";
import { type Shown, assertFactorRecent, confirmSession } from "./confirmations.ts";
import type { Outbox } from "../mails/outbox.ts";
import { type NewPassword, isStillPassword, putPassword } from "./passwords.ts";

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
  const right = await attempts.checkOnce({ account: ["user", userId], ip, now }, check);
  if (!right) refuseCurrent();
}

/**
 * Sets the password of a signed-in user in place of `current`, the hash that was checked; who has a second factor showed
 * it too, now or within 15 minutes.
 *
 * @throws Fault invalid; confirmation-needed as `assertFactorRecent`
 */
export async function changePassword(
  ctx: Ctx,
  app: { outbox: Outbox },
  { current, shown, ...given }: NewPassword & { current: string | undefined; shown: Shown },
): Promise<void> {
  const { userId, language } = given;
  if (!(await isStillPassword(ctx, { userId, passwordHash: current }))) refuseCurrent();
  if (shown) await confirmSession(ctx, app, { shown, language });
  else await assertFactorRecent(ctx.tx, ctx);
  await putPassword(ctx, app, given);
}

function refuseCurrent(): void {
  assertNoFaults([{ path: "/current", message: "is not your password" }]);
}
