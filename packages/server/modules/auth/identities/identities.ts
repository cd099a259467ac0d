import { createHash } from "node:crypto";
import type { Ctx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import type { UsersTable } from "../../../platform/db/tables.ts";
import { Fault } from "../../../platform/errors.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import { notifyUser } from "../mails/notify.ts";
import type { Outbox } from "../mails/outbox.ts";
import { assertRecent } from "../sessions/recent.ts";
import { getCaller } from "../users/users.ts";
import { lockUser } from "../users/store.ts";
import { type Identity, deleteIdentity, insertFreeIdentity, listIdentities } from "./store.ts";

const IDENTITIES_MAX = 20;

/** The id of an identity in URLs, which reveals nothing of the provider's id of the user. */
export function toIdentityId({
  provider,
  subject,
}: Pick<Identity, "provider" | "subject">): string {
  return createHash("sha256").update(`${provider}\n${subject}`).digest("hex").slice(0, 24);
}

interface NewIdentity {
  userId: string;
  provider: string;
  subject: string;
  label: string | null;
  language: MailLanguage;
}

/**
 * Adds an identity to a user, who is notified by mail.
 * @throws Fault conflict when it belongs to another account, or the user has 20
 */
export async function linkIdentity(
  ctx: Ctx,
  { outbox }: { outbox: Outbox },
  { userId, language, ...identity }: NewIdentity,
): Promise<void> {
  await lockUser(ctx.tx, userId);
  const present = await listIdentities(ctx.tx, { kind: "user", userId });
  const id = toIdentityId(identity);
  if (present.some((one) => toIdentityId(one) === id)) return;
  if (present.length >= IDENTITIES_MAX)
    throw new Fault(
      "conflict",
      `You already have ${IDENTITIES_MAX} sign-in methods. Remove one first.`,
    );
  const isFree = await insertFreeIdentity(ctx.tx, {
    ...identity,
    user_id: userId,
    password_hash: null,
    created_at: ctx.now,
  });
  if (!isFree) throw new Fault("conflict", "This sign-in method belongs to another account.");
  await recordEvent(ctx, {
    name: "identity.linked",
    data: { identityId: id, provider: identity.provider },
  });
  const letter = { kind: "identity-added", provider: identity.provider } as const;
  await notifyUser(ctx, { outbox }, { userId, language, letter });
}

/**
 * Removes the identities that do not prove the account's address, for a user who has just proved it: an attacker may have
 * added them. The identity that created the account stays when its provider verified the address. Returns the
 * providers of the removed identities.
 */
export async function removeUnprovenIdentities(ctx: Ctx, user: UsersTable): Promise<string[]> {
  await lockUser(ctx.tx, user.id);
  const createdAt = user.created_at.getTime();
  const isProviderVerified = user.email_verified_at?.getTime() === createdAt;
  const present = await listIdentities(ctx.tx, { kind: "user", userId: user.id });
  const unproven = present.filter(
    ({ provider, created_at }) =>
      provider !== "local" && !(isProviderVerified && created_at.getTime() === createdAt),
  );
  for (const identity of unproven) {
    await deleteIdentity(ctx.tx, identity);
    const data = { identityId: toIdentityId(identity), provider: identity.provider };
    await recordEvent(ctx, { name: "identity.unlinked", data });
  }
  return unproven.map(({ provider }) => provider);
}

/**
 * Removes one of the caller's identities, which may be the password, and notifies the caller by mail.
 * @throws Fault confirmation-needed, not-found, conflict for the last one
 */
export async function unlinkIdentity(
  ctx: Ctx,
  { outbox }: { outbox: Outbox },
  { id, language }: { id: string; language: MailLanguage },
): Promise<void> {
  const { userId } = getCaller(ctx.actor);
  await assertRecent(ctx);
  await lockUser(ctx.tx, userId);
  const present = await listIdentities(ctx.tx, ctx.scope);
  const found = present.find((identity) => toIdentityId(identity) === id);
  if (!found) throw new Fault("not-found", "You have no such sign-in method.");
  if (present.length === 1)
    throw new Fault("conflict", "This is your last sign-in method. Add another one first.");
  await deleteIdentity(ctx.tx, found);
  await recordEvent(ctx, {
    name: "identity.unlinked",
    data: { identityId: id, provider: found.provider },
  });
  const letter = { kind: "identity-removed", provider: found.provider } as const;
  await notifyUser(ctx, { outbox }, { userId, language, letter });
}
