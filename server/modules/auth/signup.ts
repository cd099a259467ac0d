import type { Ctx } from "../../platform/ctx.ts";
import { assertNoFaults } from "../../platform/errors.ts";
import { newDocumentId } from "../../platform/ids.ts";
import { toLoginName } from "../../platform/logins.ts";
import type { Account } from "./account.ts";
import { type Session, startSession } from "./sessions.ts";
import { insertIdentity, insertLogins, insertUser } from "./store.ts";

/**
 * Makes a user with a local identity and signs them in (wire section 1).
 *
 * @throws Fault conflict when the username or the e-mail is a name of another user (specification,
 *   Authentication 7), whatever the case and also of two sign-ups at once
 */
export async function signUp(
  ctx: Ctx,
  { account, passwordHash, label }: { account: Account; passwordHash: string; label: string },
): Promise<Session> {
  const userId = newDocumentId(ctx.now);
  await insertUser(ctx.tx, {
    id: userId,
    username: account.username,
    email: account.email,
    display_name: account.displayName,
    first_name: account.firstName,
    last_name: account.lastName,
    created_at: ctx.now,
    last_seen_at: ctx.now,
  });
  await claimLogins(ctx, userId, account);
  await insertIdentity(ctx.tx, {
    provider: "local",
    subject: userId,
    user_id: userId,
    password_hash: passwordHash,
    created_at: ctx.now,
  });
  return startSession(ctx, { userId, label, event: "user.joined" });
}

async function claimLogins(ctx: Ctx, userId: string, account: Account): Promise<void> {
  const wanted = [
    { path: "/username", name: toLoginName(account.username) },
    { path: "/email", name: toLoginName(account.email) },
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
