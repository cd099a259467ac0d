import { hrefOf, paths } from "@avow/contract/urls";
import type { Ctx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { hashToken, newOneTimeToken } from "../../../platform/crypto/tokens.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { assertNoFaults } from "../../../platform/errors.ts";
import { getCaller } from "../users/users.ts";
import { updateUserById } from "../users/store.ts";
import {
  deleteClaims,
  findOperator,
  hasClaim,
  insertClaim,
  listOperators,
  lockInstance,
} from "./store.ts";

const CLAIM_MS = 24 * 3_600_000;

export interface ClaimLink {
  /** The token is in the fragment, which browsers do not send, so that no access log contains it. */
  url: string;
  expiresAt: Date;
}

/** A link for the start to print; undefined if there is an operator. */
export function createFirstClaim(
  db: Db,
  given: { publicUrl: string; now: Date },
): Promise<ClaimLink | undefined> {
  return inTransaction(db, async (tx) => {
    await lockInstance(tx);
    return (await listOperators(tx)).length > 0 ? undefined : createClaim(tx, given);
  });
}

/** Creates a link that makes one account an operator, once and within a day. */
export async function createClaim(
  tx: Tx,
  { publicUrl, now }: { publicUrl: string; now: Date },
): Promise<ClaimLink> {
  const { token, hash } = newOneTimeToken();
  const expiresAt = new Date(now.getTime() + CLAIM_MS);
  await insertClaim(tx, { hash, expires_at: expiresAt });
  return { url: `${hrefOf(publicUrl, paths.adminClaim, {})}#${token}`, expiresAt };
}

interface GivenClaim {
  token: string;
  /** The field of the token in the request. */
  path: string;
}

/** @throws Fault impossible for a claim that is unknown, used or expired */
export async function assertClaim(
  db: Db | Tx,
  { token, path, now }: GivenClaim & { now: Date },
): Promise<void> {
  if (await hasClaim(db, hashToken(token), now)) return;
  const message = "is unknown, used or expired; restart the service or run `avow claim`";
  assertNoFaults([{ path, message }], "impossible");
}

/**
 * Makes the caller an operator, and deletes all claims, since the nodes of a service print one each. Only one of several
 * concurrent claims succeeds.
 *
 * @throws Fault impossible as `assertClaim`
 */
export async function claimInstance(ctx: Ctx, given: GivenClaim): Promise<void> {
  const { userId } = getCaller(ctx.actor);
  await lockInstance(ctx.tx);
  await assertClaim(ctx.tx, { ...given, now: ctx.now });
  await deleteClaims(ctx.tx);
  if (await findOperator(ctx.tx, userId)) return;
  await updateUserById(ctx.tx, userId, { operator_at: ctx.now });
  await recordEvent(ctx, { name: "operator.added", data: { userId, by: "claim" } });
}
