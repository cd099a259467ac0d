import { toIdentityId } from "../../packages/server/modules/auth/identities/identities.ts";
import type { Purpose } from "../../packages/server/modules/auth/sessions/one-time-tokens-store.ts";
import { hashToken, newOneTimeToken } from "../../packages/server/platform/crypto/tokens.ts";
import { newDocumentId } from "../../packages/server/kernel/ids.ts";
import { service } from "../harness.ts";

const HOUR_MS = 3_600_000;
const inAnHour = (): Date => new Date(service.clock.now().getTime() + HOUR_MS);

/** Adds a way of signing in beside the password to a user; returns its id. */
export async function newIdentity(userId: string): Promise<string> {
  const identity = { provider: "github", subject: userId };
  await service.db
    .insertInto("identities")
    .values({ ...identity, user_id: userId, created_at: service.clock.now() })
    .execute();
  return toIdentityId(identity);
}

/**
 * Tokens that work once, each of a user of its own: using one that resets a password revokes the others of
 * its user.
 */
export async function newOneTimeTokens(purpose: Purpose, count: number): Promise<string[]> {
  const now = service.clock.now();
  const made = Array.from({ length: count }, () => ({
    id: newDocumentId(now),
    ...newOneTimeToken(),
  }));
  await service.db
    .insertInto("users")
    .values(
      made.map(({ id }) => ({
        id,
        username: id,
        email: `${id}@example.org`,
        display_name: id,
        first_name: null,
        last_name: null,
        created_at: now,
        last_seen_at: now,
      })),
    )
    .execute();
  await service.db
    .insertInto("one_time_tokens")
    .values(
      made.map(({ id, hash }) => ({
        hash,
        purpose,
        user_id: id,
        email: `${id}@example.org`,
        created_at: now,
        expires_at: inAnHour(),
      })),
    )
    .execute();
  return made.map(({ token }) => token);
}

/** A token that has already confirmed a user's address: using it again writes nothing. */
export async function newUsedValidation(user: { id: string; email: string }): Promise<string> {
  const { token } = newOneTimeToken();
  await service.db
    .insertInto("one_time_tokens")
    .values({
      hash: hashToken(token),
      purpose: "validate",
      user_id: user.id,
      email: user.email,
      created_at: service.clock.now(),
      expires_at: inAnHour(),
    })
    .execute();
  await service.fetch(`/v1/auth/local/validate?token=${token}`);
  return token;
}

/** The token of a link that makes an account an operator. */
export async function newClaim(): Promise<string> {
  const { token, hash } = newOneTimeToken();
  await service.db.insertInto("claims").values({ hash, expires_at: inAnHour() }).execute();
  return token;
}

/** Tokens of invitations to a project. */
export async function newInvitations(
  count: number,
  { projectId, ownerId }: { projectId: string; ownerId: string },
): Promise<string[]> {
  const now = service.clock.now();
  const made = Array.from({ length: count }, () => newOneTimeToken());
  await service.db
    .insertInto("invitations")
    .values(
      made.map(({ hash }) => ({
        id: newDocumentId(now),
        hash,
        email: "guest@example.org",
        display_name: null,
        collection: "projects",
        document_id: projectId,
        role: "viewer",
        invited_by: ownerId,
        is_bound: false,
        created_at: now,
        expires_at: inAnHour(),
      })),
    )
    .execute();
  return made.map(({ token }) => token);
}
