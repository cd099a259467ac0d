import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { type Addition, type Agreement, listAdditions } from "./agreement.ts";
import type { Offer } from "./offer.ts";
import { type EarlierOffer, listEarlierOffers } from "./questions-store.ts";

export { countAcceptors } from "./questions-store.ts";

const SUBSTANCE_LENGTH = 16;
/** Of earlier versions that asked for more, so many are known; who accepted one of before is asked again. */
const COVERS_MAX = 8;

/** An offer with what is agreed to by it. */
export interface AgreedOffer extends Offer {
  agreed: Agreement | null;
}

/** An offer as it is published: `additions` is in what it asks for more than the version before. */
export interface SettledOffer extends AgreedOffer {
  additions: Addition[];
  /** Substances whose acceptance counts as long as this is not published. */
  supersedes: readonly string[];
}

/** A digest of what is agreed to. */
export function toSubstance(agreed: unknown): string {
  const text = canonicalize(agreed) ?? "";
  return createHash("sha256").update(text).digest("hex").slice(0, SUBSTANCE_LENGTH);
}

/**
 * The offers of a version that is about to be published, each with its substance and with those of earlier
 * versions that asked for as much or more: who accepted one of them has accepted this, and is not asked
 * again, be it a lesser version or one that is taken back. What is published later does not change what
 * this answers: `before` is the version that is being made.
 */
export async function settleOffers(
  db: Db | Tx,
  given: { projectId: string; before: number; offers: readonly AgreedOffer[] },
): Promise<SettledOffer[]> {
  const { projectId, before, offers } = given;
  const earlier = Map.groupBy(await listEarlierOffers(db, { projectId, before }), keyOf);
  return offers.map((offer) => settle(offer, earlier.get(keyOf(offer)) ?? []));
}

function keyOf({ identifier, item }: { identifier: string; item: string }): string {
  return `${identifier} ${item}`;
}

/** `earlier`: what the item was offered as, the newest of each substance, the newest first. */
function settle(offer: AgreedOffer, earlier: readonly EarlierOffer[]): SettledOffer {
  const substance = nameSubstance(offer, earlier);
  const covers = earlier
    .filter((one) => one.substance !== substance && asksNoMore(offer, one))
    .map((one) => one.substance)
    .slice(0, COVERS_MAX);
  const [last] = earlier;
  const found = last?.agreed ? listAdditions(last.agreed, offer.agreed) : [];
  const isAsked = last && !last.required && !offer.required;
  const counted = isAsked ? [last.substance, ...last.covers] : [];
  const supersedes = counted.filter((one) => one !== substance && !covers.includes(one));
  return { ...offer, substance, covers, additions: found, supersedes };
}

/** The digest leaves out whose vendor it is where no domain tells: what is not the same has another name. */
function nameSubstance({ substance, agreed }: AgreedOffer, earlier: readonly EarlierOffer[]) {
  const same = earlier.find((one) => one.substance === substance);
  if (!same?.agreed) return substance;
  const isSame =
    listAdditions(same.agreed, agreed).length + listAdditions(agreed, same.agreed).length === 0;
  return isSame ? substance : toSubstance({ agreed });
}

function asksNoMore(offer: AgreedOffer, before: EarlierOffer): boolean {
  return before.agreed !== null && listAdditions(before.agreed, offer.agreed).length === 0;
}
