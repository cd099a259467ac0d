import { hrefOf, paths } from "@avow/contract/urls";
import type { Ctx } from "../../../kernel/ctx.ts";
import { toLoginName } from "../../../kernel/logins.ts";
import { type Role, rolesUpTo } from "../../../kernel/rights.ts";
import { findUserById } from "../../../kernel/users-store.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import type { InvitationsApp } from "./ports.ts";

/** A user who was added to a document without an invitation. */
interface Addition {
  userId: string;
  addedBy: string;
  documentId: string;
  title: string;
  roles: readonly Role[];
  isDisclosed: boolean;
  language: MailLanguage;
}

/**
 * Mails a user that somebody has added them to a document. Beyond the limits of such mails the user is added without
 * one, so that nobody can fill a mailbox.
 */
export async function notifyAdded(
  ctx: Ctx,
  { limiter, outbox, publicUrl }: Pick<InvitationsApp, "limiter" | "outbox" | "publicUrl">,
  { userId, addedBy, documentId, title, roles, isDisclosed, language }: Addition,
): Promise<void> {
  const user = await findUserById(ctx.tx, userId);
  if (!user?.email) return;
  const address = toLoginName(user.email);
  const { now } = ctx;
  const byAdder = {
    limit: "additions by user to address",
    key: [addedBy, address],
    now,
  } as const;
  const byAll = { limit: "invitations to address", key: [address], now } as const;
  for (const attempt of [byAdder, byAll]) if (!(await limiter.tryCount(attempt, ctx.tx))) return;
  const { displayName: adder = "" } = (await findUserById(ctx.tx, addedBy)) ?? {};
  const [role = "viewer"] = rolesUpTo(roles);
  const url = hrefOf(publicUrl, paths.adminProjects, {});
  const letter = { kind: "added", url, adder, title, role, isDisclosed } as const;
  await outbox.postLetter(ctx.tx, now, { to: user.email, language, letter, about: documentId });
}
