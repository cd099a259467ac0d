import type { Ctx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import { type ScopeName, userScopes } from "../../../kernel/rights.ts";
import { newAccessToken } from "../../../platform/crypto/tokens.ts";
import { Fault, assertNoFaults } from "../../../platform/errors.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import { notifyUser } from "../mails/notify.ts";
import { assertRecent } from "../sessions/recent.ts";
import { type AccessToken, countKeys, insertAccessToken } from "../sessions/store.ts";
import { getCaller } from "../users/users.ts";
import { lockUser } from "../users/store.ts";
import type { KeysApp } from "./ports.ts";

const KEYS_MAX = 100;

interface NewKey {
  label: string;
  scopes: readonly ScopeName[];
  expiresAt: Date | undefined;
  projectId: string | undefined;
  /** The language of the mail about it. */
  language: MailLanguage;
}

/**
 * Creates an API key of the signed-in user, who is notified by mail. Its rights are always those of the user, within its
 * scopes and its project. The secret is returned once and stored as a hash.
 *
 * @throws Fault confirmation-needed, invalid (an expiry in the past, scopes that cannot be limited to a project), impossible
 *   (a project that the user cannot see), conflict when there are 100 keys
 */
export async function createKey(
  ctx: Ctx,
  { keyProjects, outbox }: Pick<KeysApp, "keyProjects" | "outbox">,
  { label, scopes, expiresAt, projectId, language }: NewKey,
): Promise<{ key: AccessToken; token: string }> {
  const { userId } = getCaller(ctx.actor);
  if (expiresAt && expiresAt <= ctx.now)
    assertNoFaults([{ path: "/expiresAt", message: "must be in the future" }]);
  const userWide = scopes.filter((name) => userScopes.includes(name));
  if (projectId !== undefined && userWide.length > 0)
    assertNoFaults([
      { path: "/scopes", message: `${userWide.join(", ")} cannot be limited to a project` },
    ]);
  if (projectId !== undefined && !(await keyProjects.isVisible(ctx.tx, ctx.scope, projectId)))
    assertNoFaults(
      [{ path: "/projectId", message: "is not a project that you can see" }],
      "impossible",
    );
  await lockUser(ctx.tx, userId);
  // Checked under the lock, so that an old session, or one ended by a new password, creates no key that outlives it.
  await assertRecent(ctx);
  if ((await countKeys(ctx.tx, userId)) >= KEYS_MAX)
    throw new Fault("conflict", `You already have ${KEYS_MAX} API keys. Revoke one first.`);
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
  const letter = { kind: "key-made", label, scopes } as const;
  await notifyUser(ctx, { outbox }, { userId, language, letter });
  return { key, token };
}
