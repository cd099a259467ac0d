import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Db, Tx } from "../../platform/db/db.ts";
import { type Addition, type Agreed, listAdditions } from "./agreed.ts";
import type { Offer } from "./offer.ts";
import { type OfferedBefore, listOfferedBefore } from "./substances-store.ts";

export { countAcceptors } from "./substances-store.ts";

const SUBSTANCE_LENGTH = 16;

/** An offer with what is agreed to by it. */
export interface AgreedOffer extends Offer {
  agreed: Agreed;
}

/** An offer as it is published: `additions` is in what it asks for more than the version before. */
export interface SettledOffer extends AgreedOffer {
  additions: Addition[];
  /** The substance that earlier answers were given to, where they are superseded by this one. */
  supersedes: string | undefined;
}

/** A digest of what is agreed to. */
export function toSubstance(agreed: unknown): string {
  const text = canonicalize(agreed) ?? "";
  return createHash("sha256").update(text).digest("hex").slice(0, SUBSTANCE_LENGTH);
}

/**
 * The offers of a version that is about to be published, each with the substance that it is recorded
 * with: that of the version before where it asks for no more than that one, so that nobody is asked
 * again; otherwise its own. Answers agree to what was asked for least under a substance, so that one that
 * has been lessened since is not taken up again for more. What is published later does not change what
 * this answers: `before` is the version that is being made.
 */
export async function settleOffers(
  db: Db | Tx,
  given: { projectId: string; before: number; offers: readonly AgreedOffer[] },
): Promise<SettledOffer[]> {
  const { projectId, before, offers } = given;
  const earlier = Map.groupBy(await listOfferedBefore(db, { projectId, before }), keyOf);
  return offers.map((offer) => settle(offer, earlier.get(keyOf(offer)) ?? []));
}

function keyOf({ identifier, item }: { identifier: string; item: string }): string {
  return `${identifier} ${item}`;
}

/** `earlier`: what the item was offered as, the newest of each substance, the newest first. */
function settle(offer: AgreedOffer, earlier: readonly OfferedBefore[]): SettledOffer {
  const [last] = earlier;
  if (!last) return { ...offer, additions: [], supersedes: undefined };
  if (asksNoMore(offer, last))
    return { ...offer, substance: last.substance, additions: [], supersedes: undefined };
  let { substance } = offer;
  for (;;) {
    const standing = earlier.find((one) => one.substance === substance);
    if (!standing || asksNoMore(offer, standing)) break;
    substance = toSubstance({ agreed: offer.agreed, after: substance });
  }
  const found = last.agreed ? listAdditions(last.agreed, offer.agreed) : [];
  const isAsked = !last.required && !offer.required;
  return {
    ...offer,
    substance,
    additions: found,
    supersedes: isAsked ? last.substance : undefined,
  };
}

function asksNoMore(offer: AgreedOffer, before: OfferedBefore): boolean {
  if (!before.agreed) return before.substance === offer.substance;
  return listAdditions(before.agreed, offer.agreed).length === 0;
}
