import type { Actor } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import { toLoginName } from "../../../kernel/logins.ts";
import { findUserById } from "../../../kernel/users-store.ts";
import { Fault, assertNoFaults } from "../../../platform/errors.ts";
import { insertLogins, isDisabled, lockUser } from "./store.ts";

/** The acting user. @throws Fault unauthenticated for any other actor */
export function getCaller(actor: Actor): { userId: string; tokenId: string } {
  if (actor.kind === "user") return actor;
  throw new Fault("unauthenticated", "This requires a signed-in user.");
}

/**
 * Asserts that an account is enabled. Called after the user has proved to own it, so that nobody else learns its state. The
 * user is locked, so that it is not disabled before the transaction ends.
 *
 * @throws Fault account-disabled
 */
export async function assertEnabled({ tx }: Pick<Ctx, "tx">, userId: string): Promise<void> {
  await lockUser(tx, userId);
  if (await isDisabled(tx, userId))
    throw new Fault(
      "account-disabled",
      "This account is disabled. Contact the operator of the service.",
    );
}

/** Locks the user that an operator names. @throws Fault not-found */
export async function lockNamedUser({ tx }: Pick<Ctx, "tx">, userId: string): Promise<void> {
  await lockUser(tx, userId);
  if (!(await findUserById(tx, userId)))
    throw new Fault("not-found", `There is no user ${userId}.`);
}

/** Claims the names that a user signs in with. @throws Fault conflict with each name that another user has */
export async function claimLogins(
  ctx: Ctx,
  userId: string,
  { username, email }: { username: string; email: string },
): Promise<void> {
  const wanted = [
    { path: "/username", name: toLoginName(username) },
    { path: "/email", name: toLoginName(email) },
  ];
  const free = await insertLogins(
    ctx.tx,
    userId,
    wanted.map(({ name }) => name),
  );
  const taken = wanted.filter(({ name }) => !free.includes(name));
  const faults = taken.map(({ path }) => ({ path, message: "is already in use" }));
  assertNoFaults(faults, "conflict");
}
