import type { Ctx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { toLoginName } from "../../../kernel/logins.ts";
import { assertNoFaults } from "../../../platform/errors.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import { withdrawInvitationsTo } from "../invitations/invitations.ts";
import { type Confirmation, confirmSession } from "../passwords/confirmations.ts";
import { getCaller } from "../users/users.ts";
import { deleteUser, lockUser } from "../users/store.ts";
import { getMe } from "./me.ts";
import type { AccountsApp } from "./ports.ts";

/**
 * Deletes the caller's account: names, identities, sessions, keys, roles, webhooks and invitations are deleted, and a mail
 * says so. Audit events keep the id, which names nobody any more, and files stay where published sites show them.
 *
 * @throws Fault invalid (another username, a confirmation that does not hold any more), confirmation-needed as
 *   `confirmSession`, conflict naming what would have no owner
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
  // Documents are locked before their user, as when roles are given.
  await accountDeletion.assertOwnersRemain(ctx);
  await lockUser(ctx.tx, userId);
  await confirmSession(ctx, { outbox }, { confirmation, language });
  await accountDeletion.removeWebhooks(ctx);
  if (user.email !== null && user.email_verified_at !== null)
    await withdrawInvitationsTo(ctx, user.email);
  await recordEvent(ctx, { name: "user.deleted" });
  await deleteUser(ctx.tx, userId);
  const letter = { kind: "account-deleted" } as const;
  await outbox.postLetter(ctx.tx, ctx.now, { to: user.email, language, letter });
}
