import type { Ctx } from "../../../kernel/ctx.ts";
import type { Tx } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { recordEvent } from "../../../kernel/events.ts";
import { findUserById } from "../../../kernel/users-store.ts";
import { deleteAllOneTimeTokens, deleteInvitationsBy, isDisabled } from "../users/store.ts";
import { deleteOtherAccessTokens, lockUser, updateUserById } from "../sessions/store.ts";

/**
 * Closes somebody's account, for the operator: their sessions, keys, mailed links and the invitations that they gave end at once,
 * on every node, and nothing signs them in until it is opened again. Their roles stay, for then; their webhooks are told nothing
 * meanwhile. What is disabled already stays as it is.
 *
 * @throws Fault not-found
 */
export async function disableUser(ctx: Ctx, userId: string): Promise<void> {
  await lockUser(ctx.tx, userId);
  await assertUser(ctx.tx, userId);
  if (await isDisabled(ctx.tx, userId)) return;
  await updateUserById(ctx.tx, userId, { disabled_at: ctx.now });
  await deleteOtherAccessTokens(ctx.tx, userId, undefined);
  await deleteAllOneTimeTokens(ctx.tx, userId);
  await deleteInvitationsBy(ctx.tx, userId);
  await recordEvent(ctx, { name: "user.disabled", data: { userId } });
}

/** Opens an account again: its owner signs in as before. @throws Fault not-found */
export async function enableUser(ctx: Ctx, userId: string): Promise<void> {
  await lockUser(ctx.tx, userId);
  await assertUser(ctx.tx, userId);
  if (!(await isDisabled(ctx.tx, userId))) return;
  await updateUserById(ctx.tx, userId, { disabled_at: null });
  await recordEvent(ctx, { name: "user.enabled", data: { userId } });
}

/**
 * Holds that an account is open, for who has shown that it is theirs: nobody else learns whether it is. Its user is
 * locked, so that it is not disabled meanwhile.
 *
 * @throws Fault account-disabled
 */
export async function assertEnabled({ tx }: Pick<Ctx, "tx">, userId: string): Promise<void> {
  await lockUser(tx, userId);
  if (await isDisabled(tx, userId))
    throw new Fault("account-disabled", "This account is disabled. Ask whoever runs the service.");
}

async function assertUser(tx: Tx, userId: string): Promise<void> {
  if (!(await findUserById(tx, userId)))
    throw new Fault("not-found", `There is no user ${userId}.`);
}
