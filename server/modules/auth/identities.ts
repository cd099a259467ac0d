import { createHash } from "node:crypto";
import type { Ctx } from "../../platform/ctx.ts";
import { Fault } from "../../platform/errors.ts";
import { recordEvent } from "../../platform/events.ts";
import { getCaller } from "./caller.ts";
import {
  type Identity,
  deleteIdentity,
  insertFreeIdentity,
  listIdentities,
  lockUser,
} from "./store.ts";

const IDENTITIES_MAX = 20;

/** What an identity is called in addresses: it tells nothing of what the provider calls the user. */
export function toIdentityId({
  provider,
  subject,
}: Pick<Identity, "provider" | "subject">): string {
  return createHash("sha256").update(`${provider}\n${subject}`).digest("hex").slice(0, 24);
}

/**
 * Adds a way of signing in to a user.
 * @throws Fault conflict when it is another account's, or the user has 20
 */
export async function linkIdentity(
  ctx: Ctx,
  {
    userId,
    ...identity
  }: { userId: string; provider: string; subject: string; label: string | null },
): Promise<void> {
  await lockUser(ctx.tx, userId);
  const present = await listIdentities(ctx.tx, { kind: "user", userId });
  const id = toIdentityId(identity);
  if (present.some((one) => toIdentityId(one) === id)) return;
  if (present.length >= IDENTITIES_MAX)
    throw new Fault("conflict", `You have ${IDENTITIES_MAX} ways of signing in: remove one first.`);
  const isFree = await insertFreeIdentity(ctx.tx, {
    ...identity,
    user_id: userId,
    password_hash: null,
    created_at: ctx.now,
  });
  if (!isFree) throw new Fault("conflict", "This way of signing in belongs to another account.");
  await recordEvent(ctx, {
    name: "identity.linked",
    data: { identityId: id, provider: identity.provider },
  });
}

/**
 * Removes one of the caller's ways of signing in, the password too.
 * @throws Fault not-found, conflict for the last one
 */
export async function unlinkIdentity(ctx: Ctx, id: string): Promise<void> {
  const { userId } = getCaller(ctx.actor);
  await lockUser(ctx.tx, userId);
  const present = await listIdentities(ctx.tx, ctx.scope);
  const found = present.find((identity) => toIdentityId(identity) === id);
  if (!found) throw new Fault("not-found", "You have no such identity.");
  if (present.length === 1)
    throw new Fault("conflict", "This is your last way of signing in: add another one first.");
  await deleteIdentity(ctx.tx, found);
  await recordEvent(ctx, {
    name: "identity.unlinked",
    data: { identityId: id, provider: found.provider },
  });
}
