import type { Db } from "../../platform/db/db.ts";
import { Fault } from "../../platform/errors.ts";
import { type CursorPage, parseCursor, toCursorPage } from "../../platform/page.ts";
import { findOffered } from "./offered.ts";
import type { Collection, Offer } from "./offer.ts";
import { findLastOffer } from "./offers-store.ts";
import { type Status, toStatus } from "./states.ts";
import {
  type AcceptedRow,
  type NamedState,
  type TokenRow,
  listAcceptedRows,
  listStates,
  listTokenRows,
} from "./tokens-store.ts";

interface CursorIn {
  limit: number;
  cursor?: string;
}

/** A token that consents came with. */
export interface SeenToken {
  projectId: string;
  token: string;
  firstSeenAt: Date;
  lastSeenAt: Date;
  consents: number;
}

/** The tokens of a project that begin with `prefix`, in the order of their bytes. */
export async function listTokens(
  db: Db,
  { projectId, prefix }: { projectId: string; prefix: string },
  { limit, cursor }: CursorIn,
): Promise<CursorPage<SeenToken>> {
  const [after] = parseCursor(cursor, 1) ?? [];
  const bounds = { projectId, from: prefix, to: toPrefixEnd(prefix) };
  const rows = await listTokenRows(db, bounds, { limit: limit + 1, after });
  return toCursorPage(rows, limit, { keyOf: (row) => [row.token], toItem: toSeenToken });
}

function toSeenToken(row: TokenRow): SeenToken {
  const { project_id: projectId, token, consents } = row;
  return {
    projectId,
    token,
    consents,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
  };
}

/** The first string after all that begin with `prefix`, by code points, which is the order of UTF-8. */
export function toPrefixEnd(prefix: string): string | undefined {
  const points = Array.from(prefix, (char) => char.codePointAt(0) ?? 0);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    // Surrogates are no characters; after the last character of all, the one before counts.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    if (next <= 0x10ffff) return String.fromCodePoint(...points, next);
  }
  return undefined;
}

/** One entry of a token's state (wire section 5). */
export interface StateEntry {
  collection: Collection;
  identifier: string;
  /** '' for the configuration as a whole. */
  item: string;
  name: string;
  status: Status;
  state: NamedState | undefined;
}

/**
 * The state of a token: for every processing and contract of the project, for every cookie vendor
 * that is asked for now or was once answered for.
 */
export async function listTokenState(
  db: Db,
  asked: { projectId: string; token: string; now: Date },
): Promise<StateEntry[]> {
  const [offered, states] = await Promise.all([findOffered(db, asked), listStates(db, asked)]);
  const offers = [...(offered?.values() ?? [])].flatMap((configuration) => configuration.offers);
  const stateOf = new Map(states.map((state) => [toAcceptedName(state), state]));
  const offerOf = new Map(offers.map((offer) => [toAcceptedName(offer), offer]));
  const present = offers
    .filter((offer) => isShown(offer) && !offer.required)
    .map((offer) => toEntry(offer, offer.name, stateOf.get(toAcceptedName(offer))));
  const past = states
    .filter((state) => isShown(state) && !offerOf.has(toAcceptedName(state)))
    .map((state) => toEntry(state, state.name ?? (state.item || state.identifier), state));
  return [...present, ...past];

  function toEntry(
    of: Pick<Offer, "identifier" | "item"> & { collection: string },
    name: string,
    state: NamedState | undefined,
  ): StateEntry {
    const { identifier, item } = of;
    const offer = offerOf.get(toAcceptedName(of));
    const collection = of.collection as Collection;
    return { collection, identifier, item, name, state, status: toStatus(state, offer, asked.now) };
  }
}

/** A cookie banner's state is that of its vendors. */
function isShown({ collection, item }: { collection: string; item: string }): boolean {
  return collection !== "cookies" || item !== "";
}

/** What the accepted list calls an offer: its configuration's id, or `{configurationId}/{vendor}`. */
export function toAcceptedName(of: Pick<Offer, "identifier" | "item">): string {
  return of.item === "" ? of.identifier : `${of.identifier}/${of.item}`;
}

/** What the accepted list can be asked for now: every offer of a project, required vendors aside. */
export async function listAskable(db: Db, projectId: string): Promise<Offer[]> {
  const offered = await findOffered(db, { projectId });
  return [...(offered?.values() ?? [])].flatMap(({ offers }) => offers.filter((o) => !o.required));
}

interface Asked {
  projectId: string;
  /** A configuration's id, or `{configurationId}/{vendor}`. */
  name: string;
  now: Date;
  /** Whether the project names it itself: then nobody accepted it, but it is not unknown. */
  isNamed: boolean;
}

/**
 * The tokens that accept what `name` names, as it is offered now: expired and superseded answers
 * left out. What is not offered any more goes by what was last offered.
 * @throws Fault not-found when the project never offered it
 */
export async function listAccepted(
  db: Db,
  { projectId, name, now, isNamed }: Asked,
  { limit, cursor }: CursorIn,
): Promise<CursorPage<AcceptedRow>> {
  const [after] = parseCursor(cursor, 1) ?? [];
  const slash = name.indexOf("/");
  const identifier = slash < 0 ? name : name.slice(0, slash);
  const item = slash < 0 ? "" : name.slice(slash + 1);
  const offered = await findOffered(db, { projectId, identifiers: [identifier] });
  const offer =
    offered?.get(identifier)?.offers.find((o) => o.item === item) ??
    (await findLastOffer(db, { projectId, identifier, item }));
  if (!offer && isNamed) return { items: [], next: undefined };
  if (!offer) throw new Fault("not-found", `The project never asked for ${name}.`);
  const { substance } = offer;
  const accepted = { projectId, identifier, item, substance };
  const rows = await listAcceptedRows(db, accepted, { limit: limit + 1, after, now });
  return toCursorPage(rows, limit, { keyOf: (row) => [row.token], toItem: (row) => row });
}
