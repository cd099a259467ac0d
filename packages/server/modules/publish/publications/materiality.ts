import type { DataDb } from "../../../platform/db/db.ts";
import type { Addition } from "../../consents/offers/agreement.ts";
import type { StoredDocument } from "@avow/contract/configuration";
import { toOffers } from "../../consents/offers/offers.ts";
import {
  type SettledOffer,
  countAcceptors,
  assignDigests,
} from "../../consents/offers/questions.ts";

/** Maximum number of items that are returned and counted. */
const ITEMS_MAX = 50;
/** Greater than any version number. */
const NEXT = 2_147_483_647;

/** An item whose earlier acceptances end, and what it asks for in addition. */
interface AskedAgain {
  collection: string;
  identifier: string;
  /** '' for the configuration as a whole, otherwise the vendor's slug. */
  item: string;
  name: string;
  additions: Addition[];
  /** Tokens that have accepted it, up to the maximum of the count. */
  tokens: number;
}

/** The re-consents that a publication causes (EDPB 05/2020: only for changed items). */
export interface AsksAgain {
  /** Number of affected tokens, each counted once. */
  tokens: number;
  /** Whether the count stopped at its maximum. */
  atLeast: boolean;
  /** The first 50. */
  items: AskedAgain[];
  /** Number of all items. */
  count: number;
}

/** The offers of a content that is about to be published, with their future substances. */
export function assignNextDigests(
  db: DataDb,
  projectId: string,
  configurations: readonly StoredDocument[],
): Promise<SettledOffer[]> {
  return assignDigests(db, { projectId, before: NEXT, offers: toOffers(configurations) });
}

/** The re-consents caused by publishing these offers; counts stop at `max`. */
export async function findAsksAgain(
  db: DataDb,
  { projectId, offers, max }: { projectId: string; offers: readonly SettledOffer[]; max: number },
): Promise<AsksAgain> {
  const superseding = offers.filter(({ supersedes }) => supersedes.length > 0);
  const asked = superseding.flatMap(toSuperseded);
  const tokens = await countAcceptors(db, { projectId, asked, max });
  const items: AskedAgain[] = [];
  for (const offer of superseding.slice(0, ITEMS_MAX)) {
    const { collection, identifier, item, name, additions } = offer;
    const own = await countAcceptors(db, { projectId, asked: toSuperseded(offer), max });
    items.push({ collection, identifier, item, name, additions, tokens: own });
  }
  return { tokens, atLeast: tokens >= max, items, count: superseding.length };
}

function toSuperseded({ identifier, item, supersedes }: SettledOffer) {
  return supersedes.map((substance) => ({ identifier, item, substance }));
}

/** The re-consents as a sentence. */
export function describeAsksAgain({ tokens, atLeast, items, count }: AsksAgain): string {
  if (count === 0) return "No acceptance ends.";
  const people = `${tokens.toLocaleString("en-US")}${atLeast ? " or more" : ""}`;
  const names = items.slice(0, 5).map(({ name }) => `“${name}”`);
  const more = count > names.length ? ` and ${count - names.length} more` : "";
  return `Asked again: ${names.join(", ")}${more}; ${people} ${tokens === 1 ? "token has" : "tokens have"} accepted that.`;
}
