import { type Actor, toScope } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { findUserByEmail, findUserById } from "../../../kernel/users-store.ts";
import type { Db } from "../../../platform/db/db.ts";
import { Fault, assertNoFaults } from "../../../platform/errors.ts";
import { assertRecent } from "../sessions/recent.ts";
import { isDisabled, lockUser, updateUserById } from "../users/store.ts";
import type { InstanceApp } from "./ports.ts";
import { type OperatorRow, findOperator, listOperators, lockInstance } from "./store.ts";

/**
 * The actor of a request to an operator's route with a session of an operator's account. A change requires a recent
 * sign-in or confirmation, like a change of sign-in methods.
 *
 * @throws Fault forbidden for any other user; confirmation-needed
 */
export async function toOperator(
  db: Db,
  actor: Extract<Actor, { kind: "user" }>,
  { now, isChange }: { now: Date; isChange: boolean },
): Promise<Actor> {
  const { userId, tokenId } = actor;
  if (!(await findOperator(db, userId)))
    throw new Fault("forbidden", "Only an operator of this installation can do this.");
  if (isChange) await assertRecent({ tx: db, actor, scope: toScope(actor), now });
  return { kind: "system", name: "operator", session: { userId, tokenId } };
}

/**
 * Makes a user an operator, by id or by address. As for roles, an address identifies an account only if it is confirmed,
 * unless a setting allows others. Does nothing for an operator.
 *
 * @throws Fault impossible for a user that does not exist or is disabled
 */
export async function addOperator(
  ctx: Ctx,
  app: Pick<InstanceApp, "config">,
  { userId, email = "" }: { userId?: string | undefined; email?: string | undefined },
): Promise<OperatorRow> {
  await lockInstance(ctx.tx);
  const id = userId === undefined ? await findIdByEmail(ctx, app, email) : userId;
  const path = userId === undefined ? "/email" : "/userId";
  if (id !== undefined) await lockUser(ctx.tx, id);
  if (id === undefined || !(await findUserById(ctx.tx, id)) || (await isDisabled(ctx.tx, id)))
    return rejectUser(path, app);
  if (!(await findOperator(ctx.tx, id))) {
    await updateUserById(ctx.tx, id, { operator_at: ctx.now });
    await recordEvent(ctx, { name: "operator.added", data: { userId: id, by: "operator" } });
  }
  return (await findOperator(ctx.tx, id)) ?? rejectUser(path, app);
}

async function findIdByEmail(
  { tx }: Ctx,
  { config }: Pick<InstanceApp, "config">,
  email: string,
): Promise<string | undefined> {
  const user = await findUserByEmail(tx, email);
  const isAllowed = user?.isConfirmed === true || config.mail.rightsByEmail !== "confirmed";
  return isAllowed ? user?.id : undefined;
}

function rejectUser(path: string, { config }: Pick<InstanceApp, "config">): never {
  const isConfirmedOnly = path === "/email" && config.mail.rightsByEmail === "confirmed";
  const condition = isConfirmedOnly ? " who has confirmed it" : "";
  const message = `belongs to no active user of this service${condition}`;
  return assertNoFaults([{ path, message }], "impossible") as never;
}

/** @throws Fault not-found for a user who is no operator, conflict for the last one */
export async function removeOperator(ctx: Ctx, userId: string): Promise<void> {
  if (!(await endOperator(ctx, userId)))
    throw new Fault("not-found", `No operator has the id ${userId.slice(0, 64)}.`);
}

/**
 * Removes a user from the operators; returns whether they were one. Called before any other lock, see README.md.
 * @throws Fault conflict for the last one
 */
export async function endOperator(ctx: Ctx, userId: string): Promise<boolean> {
  await lockInstance(ctx.tx);
  const operators = await listOperators(ctx.tx);
  if (!operators.some((one) => one.id === userId)) return false;
  if (operators.length === 1)
    throw new Fault(
      "conflict",
      "This is the last operator of the installation. Add another first.",
    );
  await updateUserById(ctx.tx, userId, { operator_at: null });
  await recordEvent(ctx, { name: "operator.removed", data: { userId } });
  return true;
}
