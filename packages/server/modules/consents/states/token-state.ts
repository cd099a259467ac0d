import { type AllPlanes, planesOf } from "../../../platform/db/buckets/buckets.ts";
import type { Planes } from "../../../platform/db/db.ts";
import { openGroupReader } from "../../../platform/queues/groups.ts";
import { idAfter } from "../../../kernel/ids.ts";
import type { CursorPage } from "../../../kernel/page.ts";
import type { Collection } from "@avow/contract/collections";
import { type Offer, type OfferKey, compareOfferKeys } from "../offers/offer.ts";
import type { LiveOffers } from "../offers/live-offers.ts";
import { type Stretch, listOffered } from "../offers/offered.ts";
import { findVersionAt } from "../offers/drafts-store.ts";
import type { ConsentRow } from "../records/row.ts";
import { type ItemState, type State, type Status, itemOf, toStatus } from "./states.ts";
import { parseOfferKey, toOfferKeyCursor } from "./tokens.ts";
import { type FoundToken, listTokenStates, readTokens } from "./tokens-store.ts";

/** Maximum entries of a state in one response; further ones are on the next page. */
const STATE_MAX = 5_000;
/** Maximum offers and states read for a page. */
const STATE_LIMIT = STATE_MAX + 1;

const stateCursor = { path: "?stateCursor", source: "`links.nextState`" };

/** One entry of a token's state (wire section 5). */
export interface StateEntry extends OfferKey {
  collection: Collection;
  name: string;
  status: Status;
  state: ItemState | undefined;
}

/** A contract or processing in the project's own fields, which was not offered yet. */
export interface NamedEntry {
  collection: "contracts" | "processings";
  identifier: string;
  name: string;
}

interface TokenStateQuery {
  projectId: string;
  token: string;
  now: Date;
  /** The as-of time; undefined: now. */
  at: Date | undefined;
  /** Further entries of the project, beside its configurations. */
  named: readonly NamedEntry[];
  cursor: string | undefined;
}

interface EntryParts {
  offer?: Offer;
  state?: ItemState & { collection: Collection };
  named?: NamedEntry;
}

/**
 * A page of a token's state, in the order of identifiers and items. It has every processing and contract of the
 * project, and every cookie vendor that is offered now or was answered before. With an as-of time, it uses the
 * records and offers of that time. A page has up to 5,000 entries.
 * @throws Fault invalid for a cursor of another list
 */
export async function listTokenState(
  planes: Planes,
  query: TokenStateQuery,
): Promise<CursorPage<StateEntry>> {
  const { projectId, token, at } = query;
  const from = parseOfferKey(query.cursor, stateCursor);
  const limit = STATE_LIMIT;
  const version = at && (await findVersionAt(planes.db, projectId, at));
  const before = at && idAfter(at);
  const [offered, found] = await Promise.all([
    listOffered(planes, { projectId, from, limit, version }),
    listTokenStates(planes.data, { projectId, token, before }, { from: from.identifier, limit }),
  ]);
  return toStatePage(query, { from, offered, ...found });
}

/** Maximum number of records read for a group of tokens, each of which may have 100 KiB. */
const GROUP_RECORDS_MAX = 1_000;

/** Reads first pages of present states; concurrent requests to a project share a query. */
export interface TokenReader {
  /**
   * The first page of a token's present state with its `records` newest records, in one query if the offers of the live
   * `version` are in memory and it has all configurations of the project.
   */
  readTokenState(query: PresentStateQuery): Promise<PresentState>;
}

type PresentStateQuery = Omit<TokenStateQuery, "at" | "cursor"> & {
  version: number | null;
  configurationIds: readonly string[];
  records: number;
};

interface PresentState {
  state: CursorPage<StateEntry>;
  records: ConsentRow[];
  hasArchived: boolean;
}

export function openTokenReader(
  app: AllPlanes & { live: Pick<LiveOffers, "listVersion"> },
): TokenReader {
  const from = parseOfferKey(undefined, stateCursor);
  const limit = STATE_LIMIT;
  type OfToken = Pick<PresentStateQuery, "projectId" | "token" | "records">;
  const readToken = openGroupReader<OfToken, FoundToken>({
    keyOf: ({ projectId, records }) => `${records} ${projectId}`,
    groupMaxOf: ({ records }) => Math.max(1, Math.floor(GROUP_RECORDS_MAX / records)),
    async read(items) {
      const [{ projectId, records } = { projectId: "", records: 0 }] = items;
      const tokens = items.map(({ token }) => token);
      const { data } = await app.buckets.of(projectId);
      return readTokens(data, { projectId, tokens }, { limit, records });
    },
  });
  const listPresentOffers = async (query: PresentStateQuery): Promise<Stretch<Offer>> => {
    const { projectId, version, configurationIds } = query;
    const published =
      version === null ? undefined : await app.live.listVersion(projectId, version, limit);
    const hasAll = configurationIds.every((id) => published?.identifiers.has(id));
    // The rest of a long list may have them.
    if (published && hasAll && published.end === undefined) return published;
    return listOffered(await planesOf(app, projectId), { projectId, from, limit });
  };
  return {
    async readTokenState(query) {
      const [offered, found] = await Promise.all([listPresentOffers(query), readToken(query)]);
      const whole = { ...query, at: undefined, cursor: undefined };
      const state = toStatePage(whole, { from, offered, ...found });
      return { state, records: found.records, hasArchived: found.hasArchived };
    },
  };
}

/** The page of a state that follows from offers and states, each from `from` on. */
function toStatePage(
  query: TokenStateQuery,
  parts: {
    from: OfferKey;
    offered: Stretch<Offer>;
    states: readonly State[];
    end: string | undefined;
  },
): CursorPage<StateEntry> {
  const { from, offered, states, end: statesEnd } = parts;
  const ends = [
    offered.end,
    statesEnd === undefined ? undefined : { identifier: statesEnd, item: "" },
  ];
  const [end] = ends.filter((place) => place !== undefined).toSorted(compareOfferKeys);
  const known = new Map<string, OfferKey & EntryParts>();
  const add = ({ identifier, item }: OfferKey, more: EntryParts) => {
    const place = { identifier, item };
    if (compareOfferKeys(place, from) < 0 || (end && compareOfferKeys(place, end) >= 0)) return;
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
  for (const named of query.named) add({ identifier: named.identifier, item: "" }, { named });
  const inOrder = [...known.values()].toSorted(compareOfferKeys);
  const next = inOrder[STATE_MAX] ?? end;
  return {
    items: inOrder.slice(0, STATE_MAX).flatMap((place) => toEntries(place, query.at ?? query.now)),
    next: next && toOfferKeyCursor(next),
  };
}

function toEntries({ identifier, item, ...known }: OfferKey & EntryParts, now: Date): StateEntry[] {
  const { offer, state, named } = known;
  const of = offer ?? state ?? named;
  if (!of || offer?.required) return [];
  // The state of a cookie banner consists of the states of its vendors.
  if (of.collection === "cookies" && item === "") return [];
  const status = toStatus(state, offer, now);
  const { collection } = of;
  return [{ collection, identifier, item, name: of.name, status, state }];
}
