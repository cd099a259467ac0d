import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import { type Addition, type Agreement, listAdditions } from "./agreement.ts";
import type { Offer } from "./offer.ts";
import { type EarlierOffer, listEarlierOffers } from "./questions-store.ts";

export { countAcceptors } from "./questions-store.ts";

const SUBSTANCE_LENGTH = 16;
/** Limit of covered substances of an offer: answers to even earlier ones need re-consent. */
const COVERS_MAX = 8;

/** An offer with its terms. */
export interface AgreedOffer extends Offer {
  agreed: Agreement | null;
}

/** An offer as published; `additions`: the ways in which it asks for more than the previous version. */
export interface SettledOffer extends AgreedOffer {
  additions: Addition[];
  /** Substances whose acceptance no longer counts once this offer is published. */
  supersedes: readonly string[];
}

/** A digest of terms. */
export function toSubstance(agreed: unknown): string {
  const text = canonicalize(agreed) ?? "";
  return createHash("sha256").update(text).digest("hex").slice(0, SUBSTANCE_LENGTH);
}

/**
 * The offers of a version before publication, each with its substance and with the earlier substances that asked for as
 * much or more. A visitor who accepted one of those is not asked again, for example after a reduction or a revert.
 * Considers only versions before `before`, the version to publish, so that later publications do not change the
 * result.
 */
export async function assignDigests(
  db: DataDb | DataTx,
  version: { projectId: string; before: number; offers: readonly AgreedOffer[] },
): Promise<SettledOffer[]> {
  const { projectId, before, offers } = version;
  const earlier = Map.groupBy(await listEarlierOffers(db, { projectId, before }), keyOf);
  return offers.map((offer) => settle(offer, earlier.get(keyOf(offer)) ?? []));
}

function keyOf({ identifier, item }: { identifier: string; item: string }): string {
  return `${identifier} ${item}`;
}

/** `earlier`: earlier offers of the item, the newest one of each substance, newest first. */
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

/**
 * The substance of an offer. The usual digest does not identify a vendor without a domain: if an earlier offer has the
 * same digest but other terms, the digest of all terms is used.
 */
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
