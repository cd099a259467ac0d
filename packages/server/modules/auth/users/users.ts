import type { Ctx } from "../../../kernel/ctx.ts";
import { findUserById } from "../../../kernel/users-store.ts";
import { Fault } from "../../../platform/errors.ts";
import { isDisabled, lockUser } from "./store.ts";

/**
 * Asserts that an account is enabled, after its user has proved to own it: nobody else learns whether it is. The user is
 * locked, so that it is not disabled meanwhile.
 *
 * @throws Fault account-disabled
 */
export async function assertEnabled({ tx }: Pick<Ctx, "tx">, userId: string): Promise<void> {
  await lockUser(tx, userId);
  if (await isDisabled(tx, userId))
    throw new Fault("account-disabled", "This account is disabled. Ask whoever runs the service.");
}

/** Locks the user that an operator names. @throws Fault not-found */
export async function lockNamedUser({ tx }: Pick<Ctx, "tx">, userId: string): Promise<void> {
  await lockUser(tx, userId);
  if (!(await findUserById(tx, userId)))
    throw new Fault("not-found", `There is no user ${userId}.`);
}
