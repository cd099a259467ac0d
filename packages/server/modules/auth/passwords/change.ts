import type { Ctx } from "../../../kernel/ctx.ts";
import { Fault, assertNoFaults } from "../../../platform/errors.ts";
import type { Outbox } from "../mails/outbox.ts";
import { assertFactorRecent } from "../sessions/recent.ts";
import { type Confirmation, confirmSession, verifyPassword } from "./confirmations.ts";
import { type NewPassword, isStillPassword, putPassword } from "./passwords.ts";

interface PasswordChange {
  current: string;
  new: string;
  confirm: string;
}

/** Asserts that the new password was repeated. @throws Fault invalid */
export function assertPasswordsMatch(given: PasswordChange): void {
  if (given.new === given.confirm) return;
  assertNoFaults([{ path: "/confirm", message: "must be equal to `new`" }]);
}

/**
 * Checks the current password; returns its hash.
 * @throws Fault invalid when it is wrong (401 is only for sign-in), too-many, busy
 */
export async function verifyCurrent(
  app: Parameters<typeof verifyPassword>[0],
  given: { userId: string; password: string; ip: string },
): Promise<string> {
  return (await verifyPassword(app, given)) ?? rejectCurrent();
}

/**
 * Replaces the password of a signed-in user; `current` is the checked hash. A second factor must also be proved, now or
 * within the last 15 minutes.
 *
 * @throws Fault invalid; confirmation-needed as `assertFactorRecent`
 */
export async function changePassword(
  ctx: Ctx,
  app: { outbox: Outbox },
  {
    current,
    confirmation,
    ...given
  }: NewPassword & { current: string; confirmation: Confirmation },
): Promise<void> {
  const { userId, language } = given;
  if (!(await isStillPassword(ctx, { userId, passwordHash: current }))) rejectCurrent();
  if (confirmation) await confirmSession(ctx, app, { confirmation, language });
  else await assertFactorRecent(ctx.tx, ctx);
  await putPassword(ctx, app, given);
}

function rejectCurrent(): never {
  const fault = { path: "/current", message: "is not your password" };
  throw new Fault("invalid", `${fault.path}: ${fault.message}`, { faults: [fault] });
}
