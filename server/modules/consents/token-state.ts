import type { Db } from "../../platform/db/db.ts";
import type { CursorPage } from "../../platform/page.ts";
import { type Collection, type Offer, type Place, comparePlaces } from "./offer.ts";
import { listOffered } from "./offered.ts";
import { type State, type Status, toStatus } from "./states.ts";
import { parsePlace, toPlaceCursor } from "./tokens.ts";
import { listStates } from "./tokens-store.ts";

/** One answer holds so many entries of a state; what follows is a page of its own. */
const STATE_MAX = 5_000;

/** One entry of a token's state (wire section 5). */
export interface StateEntry extends Place {
  collection: Collection;
  name: string;
  status: Status;
  state: State | undefined;
}

/** A document or processing that a project names in its own fields; nobody was asked for it yet. */
export interface NamedEntry {
  collection: "contracts" | "processings";
  identifier: string;
  name: string;
}

interface Asked {
  projectId: string;
  token: string;
  now: Date;
  /** What else the project has, beside its configurations. */
  named: readonly NamedEntry[];
  cursor: string | undefined;
}

/** What is known of one place: what is offered there, what was answered, who else names it. */
interface Known {
  offer?: Offer;
  state?: State;
  named?: NamedEntry;
}

/**
 * The state of a token, in the order of identifiers and items: for every processing and contract of
 * the project, for every cookie vendor that is asked for now or was once answered for. The first
 * 5,000, and more from the cursor on.
 * @throws Fault invalid for a cursor of another list
 */
export async function listTokenState(db: Db, asked: Asked): Promise<CursorPage<StateEntry>> {
  const from = parsePlace(asked.cursor);
  const window = { from, limit: STATE_MAX + 1 };
  const [offered, states] = await Promise.all([
    listOffered(db, { projectId: asked.projectId, ...window }),
    listStates(db, asked, window),
  ]);
  // More may follow the last one of as many as were asked for.
  const ends = [offered.end, states.length === window.limit ? states.at(-1) : undefined];
  const [end] = ends.filter((place) => place !== undefined).toSorted(comparePlaces);
  const known = new Map<string, Place & Known>();
  const add = (place: Place, more: Known) => {
    if (comparePlaces(place, from) < 0 || (end && comparePlaces(place, end) >= 0)) return;
    const key = JSON.stringify([place.identifier, place.item]);
    const { identifier, item } = place;
    known.set(key, { identifier, item, ...known.get(key), ...more });
  };
  for (const offer of offered.items) add(offer, { offer });
  for (const state of states) add(state, { state });
  for (const named of asked.named) add({ identifier: named.identifier, item: "" }, { named });
  const inOrder = [...known.values()].toSorted(comparePlaces);
  const next = inOrder[STATE_MAX] ?? end;
  return {
    items: inOrder.slice(0, STATE_MAX).flatMap((place) => toEntries(place, asked.now)),
    next: next && toPlaceCursor(next),
  };
}

function toEntries({ identifier, item, ...known }: Place & Known, now: Date): StateEntry[] {
  const { offer, state, named } = known;
  const of = offer ?? state ?? named;
  if (!of || offer?.required) return [];
  // A cookie banner's state is that of its vendors.
  if (of.collection === "cookies" && item === "") return [];
  const status = toStatus(state, offer, now);
  const collection = of.collection as Collection;
  return [{ collection, identifier, item, name: of.name, status, state }];
}
