import { toActorName } from "../../../kernel/actor.ts";
import type { DataCtx } from "../../../kernel/ctx.ts";
import { Fault } from "../../../platform/errors.ts";
import { getProposalToDecide } from "../../consents/erase/proposals.ts";
import { type Erasure, eraseToken } from "./erasures.ts";

/**
 * Erases the token of a proposal, as `eraseToken`.
 * @throws Fault not-found without an open proposal, forbidden for the user who proposed it
 */
export async function confirmErasure(
  ctx: DataCtx,
  of: { projectId: string; id: string },
): Promise<Erasure> {
  const { projectId, token, proposedBy } = await getProposalToDecide(ctx, of);
  if (proposedBy === toActorName(ctx.actor))
    throw new Fault("forbidden", "You proposed this erasure. Another owner has to confirm it.");
  return eraseToken(ctx, { projectId, token, proposedBy });
}
