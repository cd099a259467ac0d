import type { Db, Tx } from "../../../platform/db/db.ts";
import type { Addition } from "../../consents/offers/agreement.ts";
import type { StoredDocument } from "@avow/contract/configuration";
import { toOffers } from "../../consents/offers/offers.ts";
import {
  type SettledOffer,
  countAcceptors,
  settleOffers,
} from "../../consents/offers/questions.ts";

/** Of the items that people are asked again so many are told, and counted for. */
const ITEMS_MAX = 50;
/** More than any version that there is. */
const NEXT = 2_147_483_647;

/** An item whose earlier acceptances end, and in what it asks for more. */
interface AskedAgain {
  collection: string;
  identifier: string;
  /** '' for the configuration as a whole, otherwise the vendor's slug. */
  item: string;
  name: string;
  additions: Addition[];
  /** How many tokens have accepted it; at most as many as are counted. */
  tokens: number;
}

/** What a publication asks people again (EDPB 05/2020: only for what it touches). */
export interface AsksAgain {
  /** How many tokens that touches, each once. */
  tokens: number;
  /** The count went no further. */
  atLeast: boolean;
  /** The first 50. */
  items: AskedAgain[];
  /** How many there are, also beyond those. */
  count: number;
}

/** The offers of a content that is about to be published, with the substances that they will have. */
export function settleNext(
  db: Db | Tx,
  projectId: string,
  configurations: readonly StoredDocument[],
): Promise<SettledOffer[]> {
  return settleOffers(db, { projectId, before: NEXT, offers: toOffers(configurations) });
}

/** What people will be asked again when these offers are published; counts go no further than `max`. */
export async function findAsksAgain(
  db: Db | Tx,
  { projectId, offers, max }: { projectId: string; offers: readonly SettledOffer[]; max: number },
): Promise<AsksAgain> {
  const superseding = offers.filter(({ supersedes }) => supersedes.length > 0);
  const asked = superseding.flatMap(toAsked);
  const tokens = await countAcceptors(db, { projectId, asked, max });
  const items: AskedAgain[] = [];
  for (const offer of superseding.slice(0, ITEMS_MAX)) {
    const { collection, identifier, item, name, additions } = offer;
    const own = await countAcceptors(db, { projectId, asked: toAsked(offer), max });
    items.push({ collection, identifier, item, name, additions, tokens: own });
  }
  return { tokens, atLeast: tokens >= max, items, count: superseding.length };
}

function toAsked({ identifier, item, supersedes }: SettledOffer) {
  return supersedes.map((substance) => ({ identifier, item, substance }));
}

/** It in a sentence, for people. */
export function sayAsksAgain({ tokens, atLeast, items, count }: AsksAgain): string {
  if (count === 0) return "Nobody is asked again.";
  const people = `${tokens.toLocaleString("en-US")}${atLeast ? " or more" : ""}`;
  const names = items.slice(0, 5).map(({ name }) => `“${name}”`);
  const more = count > names.length ? ` and ${count - names.length} more` : "";
  return `Asked again: ${names.join(", ")}${more}; ${people} ${tokens === 1 ? "token has" : "tokens have"} accepted that.`;
}
