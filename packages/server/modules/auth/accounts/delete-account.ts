import type { Ctx } from "../../../kernel/ctx.ts";
import { assertNoFaults } from "../../../platform/errors.ts";
import { recordEvent } from "../../../kernel/events.ts";
import { toLoginName } from "../../../kernel/logins.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import { deleteUser } from "../users/store.ts";
import { getCaller } from "../users/caller.ts";
import { type Shown, confirmSession } from "../passwords/confirmations.ts";
import { withdrawInvitationsTo } from "../invitations/invitations.ts";
import type { Outbox } from "../mails/outbox.ts";
import { getMe } from "./me.ts";
import { lockUser } from "../sessions/store.ts";

/** What of other modules an account leaves behind; their verbs, handed down by the app. */
export interface Leaving {
  /** Locks what the user owns by themselves until the transaction ends. @throws Fault conflict, naming what nobody else owns */
  assertOwnersRemain(ctx: Ctx): Promise<void>;
  /** Takes away what tells others' addresses of what the user may see. */
  removeWebhooks(ctx: Ctx): Promise<void>;
}

/**
 * Deletes the caller's account: names, ways of signing in, sessions, keys, roles, webhooks and invitations go, and a mail tells so.
 * What they did stays in the audit trail under an id that names nobody any more, and files stay where published sites show them.
 *
 * @throws Fault invalid (another name than the caller's, something shown that does not hold any more), confirmation-needed as
 *   `confirmSession`, conflict naming what would have no owner
 */
export async function deleteAccount(
  ctx: Ctx,
  { leaving, outbox }: { leaving: Leaving; outbox: Outbox },
  { confirm, shown, language }: { confirm: string; shown: Shown; language: MailLanguage },
): Promise<void> {
  const { userId } = getCaller(ctx.actor);
  const user = await getMe(ctx.tx, ctx.scope);
  if (toLoginName(confirm) !== toLoginName(user.username))
    assertNoFaults([{ path: "/confirm", message: "must be your username" }]);
  // Documents before their user, as who gives roles has them.
  await leaving.assertOwnersRemain(ctx);
  await lockUser(ctx.tx, userId);
  await confirmSession(ctx, { outbox }, { shown, language });
  await leaving.removeWebhooks(ctx);
  if (user.email !== null && user.email_verified_at !== null)
    await withdrawInvitationsTo(ctx, user.email);
  await recordEvent(ctx, { name: "user.deleted" });
  await deleteUser(ctx.tx, userId);
  const letter = { kind: "account-deleted" } as const;
  await outbox.postLetter(ctx.tx, ctx.now, { to: user.email, language, letter });
}
