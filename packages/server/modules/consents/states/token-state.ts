import type { Db } from "../../../platform/db/db.ts";
import { idAfter } from "../../../kernel/ids.ts";
import type { CursorPage } from "../../../kernel/page.ts";
import type { Collection } from "@avow/contract/collections";
import { type Offer, type Place, comparePlaces } from "../offers/offer.ts";
import { listOffered } from "../offers/offered.ts";
import { findVersionAt } from "../offers/offers-store.ts";
import { type ItemState, type Status, itemOf, toStatus } from "./states.ts";
import { parsePlace, toPlaceCursor } from "./tokens.ts";
import { listTokenStates } from "./tokens-store.ts";

/** Maximum entries of a state in one response; further ones are on the next page. */
const STATE_MAX = 5_000;

const stateCursor = { path: "?stateCursor", source: "`links.nextState`" };

/** One entry of a token's state (wire section 5). */
export interface StateEntry extends Place {
  collection: Collection;
  name: string;
  status: Status;
  state: ItemState | undefined;
}

/** A document or processing that a project names in its own fields; nobody was asked for it yet. */
export interface NamedEntry {
  collection: "contracts" | "processings";
  identifier: string;
  name: string;
}

interface TokenStateQuery {
  projectId: string;
  token: string;
  now: Date;
  /** The instant as of which the state is asked for; without it the present one. */
  at: Date | undefined;
  /** What else the project has, beside its configurations. */
  named: readonly NamedEntry[];
  cursor: string | undefined;
}

/** The offer, answer and other naming of one item. */
interface EntryParts {
  offer?: Offer;
  state?: ItemState & { collection: Collection };
  named?: NamedEntry;
}

/**
 * The state of a token, in the order of identifiers and items: for every processing and contract of
 * the project, for every cookie vendor that is asked for now or was once answered for; as of an
 * instant, by the records and against the offers of then. The first 5,000, and more from the cursor on.
 * @throws Fault invalid for a cursor of another list
 */
export async function listTokenState(
  db: Db,
  asked: TokenStateQuery,
): Promise<CursorPage<StateEntry>> {
  const { projectId, token, at } = asked;
  const from = parsePlace(asked.cursor, stateCursor);
  const limit = STATE_MAX + 1;
  const version = at && (await findVersionAt(db, projectId, at));
  const before = at && idAfter(at);
  const [offered, { states, end: statesEnd }] = await Promise.all([
    listOffered(db, { projectId, from, limit, version }),
    listTokenStates(db, { projectId, token, before }, { from: from.identifier, limit }),
  ]);
  const ends = [
    offered.end,
    statesEnd === undefined ? undefined : { identifier: statesEnd, item: "" },
  ];
  const [end] = ends.filter((place) => place !== undefined).toSorted(comparePlaces);
  const known = new Map<string, Place & EntryParts>();
  const add = ({ identifier, item }: Place, more: EntryParts) => {
    const place = { identifier, item };
    if (comparePlaces(place, from) < 0 || (end && comparePlaces(place, end) >= 0)) return;
    const key = JSON.stringify([identifier, item]);
    known.set(key, { ...place, ...known.get(key), ...more });
  };
  for (const offer of offered.items) add(offer, { offer });
  for (const whole of states)
    for (const item of whole.answers.keys()) {
      const state = itemOf(whole, item);
      const { identifier, collection } = whole;
      if (state) add({ identifier, item }, { state: { ...state, collection } });
    }
  for (const named of asked.named) add({ identifier: named.identifier, item: "" }, { named });
  const inOrder = [...known.values()].toSorted(comparePlaces);
  const next = inOrder[STATE_MAX] ?? end;
  return {
    items: inOrder.slice(0, STATE_MAX).flatMap((place) => toEntries(place, at ?? asked.now)),
    next: next && toPlaceCursor(next),
  };
}

function toEntries({ identifier, item, ...known }: Place & EntryParts, now: Date): StateEntry[] {
  const { offer, state, named } = known;
  const of = offer ?? state ?? named;
  if (!of || offer?.required) return [];
  // A cookie banner's state is that of its vendors.
  if (of.collection === "cookies" && item === "") return [];
  const status = toStatus(state, offer, now);
  const { collection } = of;
  return [{ collection, identifier, item, name: of.name, status, state }];
}
