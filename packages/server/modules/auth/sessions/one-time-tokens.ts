import type { Ctx } from "../../../kernel/ctx.ts";
import { hashToken, newOneTimeToken } from "../../../platform/crypto/tokens.ts";
import { lockUser } from "../users/store.ts";
import {
  type Purpose,
  type TokenHolder,
  findOneTimeToken,
  insertOneTimeToken,
  takeOneTimeToken,
} from "./one-time-tokens-store.ts";

/** Creates a token that works once within `lifetimeMs`; it is stored as a hash. */
export async function createToken(
  { tx, now }: Pick<Ctx, "tx" | "now">,
  {
    userId,
    email,
    data = null,
    ...token
  }: {
    purpose: Purpose;
    userId: string;
    email: string | null;
    data?: string | null;
    lifetimeMs: number;
  },
): Promise<string> {
  const { token: value, hash } = newOneTimeToken();
  await insertOneTimeToken(tx, {
    hash,
    purpose: token.purpose,
    user_id: userId,
    email,
    data,
    created_at: now,
    expires_at: new Date(now.getTime() + token.lifetimeMs),
  });
  return value;
}

/**
 * Consumes a one-time token; undefined when it is unknown, used or expired. Its user is locked before, so that a use and a
 * password change never run concurrently: the change deletes the tokens, and a concurrent use then fails.
 */
export async function useToken(
  ctx: Ctx,
  { token, purpose }: { token: string; purpose: Purpose },
): Promise<TokenHolder | undefined> {
  const wanted = { hash: hashToken(token), purpose, now: ctx.now };
  const held = await findOneTimeToken(ctx.tx, wanted);
  if (!held) return undefined;
  await lockUser(ctx.tx, held.userId);
  return takeOneTimeToken(ctx.tx, wanted);
}
