import type { Ctx } from "../../../kernel/ctx.ts";
import { hashToken } from "../../../platform/crypto/tokens.ts";
import {
  type Holder,
  type Purpose,
  findOneTimeToken,
  takeOneTimeToken,
} from "./one-time-tokens-store.ts";
import { lockUser } from "./store.ts";

/**
 * Uses up a token that was mailed or handed over; undefined when it is unknown, used or expired. Its user is
 * locked before, so that what a token does and a new password never happen at once: the password ends the
 * tokens, and one that was on its way does nothing after it.
 */
export async function useToken(
  ctx: Ctx,
  { token, purpose }: { token: string; purpose: Purpose },
): Promise<Holder | undefined> {
  const wanted = { hash: hashToken(token), purpose, now: ctx.now };
  const held = await findOneTimeToken(ctx.tx, wanted);
  if (!held) return undefined;
  await lockUser(ctx.tx, held.userId);
  return takeOneTimeToken(ctx.tx, wanted);
}
