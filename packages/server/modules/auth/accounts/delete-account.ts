import type { Ctx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { toLoginName } from "../../../kernel/logins.ts";
import { assertNoFaults } from "../../../platform/errors.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import { endOperator } from "../instance/operators.ts";
import { withdrawInvitationsTo } from "../invitations/invitations.ts";
import { type Confirmation, confirmSession } from "../passwords/confirmations.ts";
import { getCaller } from "../users/users.ts";
import { deleteUser, lockUser } from "../users/store.ts";
import { getMe } from "./me.ts";
import type { AccountsApp } from "./ports.ts";

/**
 * Deletes the caller's account with names, identities, sessions, keys, roles, webhooks and invitations, and sends a mail
 * about it. Audit events keep the id, which is then anonymous, and files that published sites show remain.
 *
 * @throws Fault invalid (another username, an outdated confirmation), confirmation-needed as `confirmSession`, conflict
 *   for the last operator, and with the documents that would have no owner
 */
export async function deleteAccount(
  ctx: Ctx,
  { accountDeletion, outbox }: Pick<AccountsApp, "accountDeletion" | "outbox">,
  {
    confirm,
    confirmation,
    language,
  }: { confirm: string; confirmation: Confirmation; language: MailLanguage },
): Promise<void> {
  const { userId } = getCaller(ctx.actor);
  const user = await getMe(ctx.tx, ctx.scope);
  if (toLoginName(confirm) !== toLoginName(user.username))
    assertNoFaults([{ path: "/confirm", message: "must be your username" }]);
  await endOperator(ctx, userId);
  // Documents are locked before their user, in the same order as by other writes of roles.
  await accountDeletion.assertOwnersRemain(ctx);
  await lockUser(ctx.tx, userId);
  await confirmSession(ctx, { outbox }, { confirmation, language });
  await accountDeletion.removeWebhooks(ctx);
  if (user.email !== null && user.email_verified_at !== null) {
    await withdrawInvitationsTo(ctx, user.email);
    await accountDeletion.deleteTransfersTo(ctx, user.email);
  }
  await recordEvent(ctx, { name: "user.deleted" });
  await deleteUser(ctx.tx, userId);
  const letter = { kind: "account-deleted" } as const;
  await outbox.postLetter(ctx.tx, ctx.now, { to: user.email, language, letter });
}
