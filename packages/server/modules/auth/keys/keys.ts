import type { Actor, Scope } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { Fault, assertNoFaults } from "../../../platform/errors.ts";
import { recordEvent } from "../../../kernel/events.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import { newAccessToken } from "../../../platform/crypto/tokens.ts";
import { type RouteRights, type ScopeName, userScopes } from "../../../kernel/rights.ts";
import { getCaller } from "../users/caller.ts";
import { assertRecent } from "../passwords/confirmations.ts";
import type { Outbox } from "../mails/outbox.ts";
import {
  type AccessToken,
  countKeys,
  getUserById,
  insertAccessToken,
  lockUser,
} from "../sessions/store.ts";

const KEYS_MAX = 100;

/**
 * Holds an API key to its scopes, at the edge and for every route at once.
 * @throws Fault forbidden, telling which scopes would do
 */
export function assertInScope(actor: Actor, { scope, andScope }: RouteRights): void {
  if (actor.kind !== "user" || actor.scopes === undefined || scope === "any") return;
  if (scope === undefined) throw new Fault("forbidden", "No API key may do this: sign in.");
  const needed = andScope === undefined ? [scope] : [scope, andScope];
  const { scopes } = actor;
  if (needed.every((name) => scopes.includes(name))) return;
  const noun = needed.length > 1 ? "scopes" : "scope";
  throw new Fault("forbidden", `This needs an API key with the ${noun} ${needed.join(" and ")}.`);
}

/** What of the vault's documents keys ask for; the vault's verb, handed down by the app. */
export interface KeyProjects {
  /** Whether the scope sees the project. */
  isVisible(db: Db | Tx, scope: Scope, projectId: string): Promise<boolean>;
}

interface NewKey {
  label: string;
  scopes: readonly ScopeName[];
  expiresAt: Date | undefined;
  projectId: string | undefined;
  /** Of the mail that tells of it. */
  language: MailLanguage;
}

/**
 * Makes an API key of the signed-in user, and tells them by mail: it may do what they may, within its scopes and
 * its project, for as long as they may. The secret is answered once and kept as a hash.
 *
 * @throws Fault confirmation-needed, invalid (an end that is past, scopes that are of no project), impossible (a project
 *   that the user does not see), conflict when there are 100 keys
 */
export async function makeKey(
  ctx: Ctx,
  { keyProjects, outbox }: { keyProjects: KeyProjects; outbox: Outbox },
  { label, scopes, expiresAt, projectId, language }: NewKey,
): Promise<{ key: AccessToken; token: string }> {
  const { userId } = getCaller(ctx.actor);
  if (expiresAt && expiresAt <= ctx.now)
    assertNoFaults([{ path: "/expiresAt", message: "must be in the future" }]);
  const ofUser = scopes.filter((name) => userScopes.includes(name));
  if (projectId !== undefined && ofUser.length > 0)
    assertNoFaults([
      { path: "/scopes", message: `${ofUser.join(", ")} cannot be limited to a project` },
    ]);
  if (projectId !== undefined && !(await keyProjects.isVisible(ctx.tx, ctx.scope, projectId)))
    assertNoFaults(
      [{ path: "/projectId", message: "names nothing that you may see" }],
      "impossible",
    );
  await lockUser(ctx.tx, userId);
  // A session that a new password ended meanwhile makes no key that would outlive it; nor does one left open.
  await assertRecent(ctx);
  if ((await countKeys(ctx.tx, userId)) >= KEYS_MAX)
    throw new Fault("conflict", `You have ${KEYS_MAX} API keys: revoke one first.`);
  const { token, hash } = newAccessToken();
  const key = {
    id: newDocumentId(ctx.now),
    label,
    created_at: ctx.now,
    last_used_at: ctx.now,
    expires_at: expiresAt ?? null,
    scopes: [...scopes],
    project_id: projectId ?? null,
  };
  await insertAccessToken(ctx.tx, { ...key, hash, user_id: userId });
  await recordEvent(ctx, {
    name: "key.created",
    projectId,
    data: { tokenId: key.id, scopes },
  });
  const { email } = await getUserById(ctx.tx, userId);
  const letter = { kind: "key-made", label, scopes } as const;
  await outbox.postLetter(ctx.tx, ctx.now, { to: email, language, letter });
  return { key, token };
}
