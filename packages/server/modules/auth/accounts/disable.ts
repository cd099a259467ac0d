import type { Ctx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { endOperator } from "../instance/operators.ts";
import { deleteInvitationsBy } from "../invitations/store.ts";
import { deleteOneTimeTokens, tokenPurposes } from "../sessions/one-time-tokens-store.ts";
import { deleteAccessTokens } from "../sessions/store.ts";
import { isDisabled, updateUserById } from "../users/store.ts";
import { lockNamedUser } from "../users/users.ts";

/**
 * Disables an account, for the operator: its sessions, keys, mailed links and sent invitations end at once on every node,
 * and its user cannot sign in until it is enabled again. Its roles stay, except that of an operator, and its webhooks
 * are paused. Does nothing for a disabled account.
 *
 * @throws Fault not-found, conflict for the last operator
 */
export async function disableUser(ctx: Ctx, userId: string): Promise<void> {
  await endOperator(ctx, userId);
  await lockNamedUser(ctx, userId);
  if (await isDisabled(ctx.tx, userId)) return;
  await updateUserById(ctx.tx, userId, { disabled_at: ctx.now });
  const scope = { kind: "user", userId } as const;
  await deleteAccessTokens(ctx.tx, scope, {});
  await deleteOneTimeTokens(ctx.tx, { userId, purposes: tokenPurposes });
  await deleteInvitationsBy(ctx.tx, userId);
  await recordEvent(ctx, { name: "user.disabled", data: { userId } });
}

/** Enables an account again: its user signs in as before. @throws Fault not-found */
export async function enableUser(ctx: Ctx, userId: string): Promise<void> {
  await lockNamedUser(ctx, userId);
  if (!(await isDisabled(ctx.tx, userId))) return;
  await updateUserById(ctx.tx, userId, { disabled_at: null });
  await recordEvent(ctx, { name: "user.enabled", data: { userId } });
}
