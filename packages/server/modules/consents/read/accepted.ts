import type { DataDb, Planes } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { idAfter } from "../../../kernel/ids.ts";
import { type CursorPage, parseCursor, toCursor, toCursorFault } from "../../../kernel/page.ts";
import {
  type ItemChoices,
  type ItemKey,
  listItemChoices,
  listTokenItems,
  toItemState,
} from "./accepted-store.ts";
import { findHorizon } from "./horizon.ts";
import {
  SNAPSHOT_PARTS,
  type Snapshot,
  listSubstances,
  parseSnapshot,
  toSnapshotParts,
  toSubstances,
  withSubstances,
} from "./cursor.ts";
import type { Offer } from "../offers/offer.ts";
import { findOffered } from "../offers/offered.ts";
import { findVersionAt } from "../offers/drafts-store.ts";
import { findLastOffer } from "../offers/offers-store.ts";
import { toStatus } from "../states/states.ts";

/** Number of tokens examined for a page in addition to its limit. */
const EXTRA = 200;

export interface AskedItem {
  projectId: string;
  /** A configuration's id, or `{configurationId}/{vendor}`. */
  name: string;
  /** Whether it is in the project's own fields: it may then be missing from the offers without being unknown. */
  isNamed: boolean;
}

/** An item with the substances whose acceptance counts. */
export type OfferedItem = ItemKey & Pick<Offer, "substance" | "covers">;

export interface AcceptedToken {
  token: string;
  since: Date;
  consentId: string;
}

/** A page of tokens; `changes` is the cursor for changes after the list was read. */
export type AcceptedPage = CursorPage<AcceptedToken> & { changes: string };

/**
 * The item with this name as it is offered now or was at `at`, or else as it was last offered; undefined for an item
 * that is only in the project's own fields.
 * @throws Fault not-found if the project never offered it
 */
export async function getOfferedItem(
  { db, data }: Planes,
  { projectId, name, isNamed }: AskedItem,
  at: Date | undefined,
): Promise<OfferedItem | undefined> {
  const slash = name.indexOf("/");
  const identifier = slash < 0 ? name : name.slice(0, slash);
  const item = slash < 0 ? "" : name.slice(slash + 1);
  const key = { projectId, identifier, item };
  const version = at && (await findVersionAt(db, projectId, at));
  const offered = await findOffered(
    { db, data },
    { projectId, identifiers: [identifier], version },
  );
  const offer =
    offered?.get(identifier)?.offers.get(item) ??
    (await findLastOffer(data, { ...key, version })) ??
    (version === undefined ? undefined : await findLastOffer(data, key));
  if (!offer && !isNamed) throw new Fault("not-found", `The project never asked for ${name}.`);
  return offer && { ...key, substance: offer.substance, covers: offer.covers };
}

/**
 * The tokens that accept an item as it is offered now or was at `at`, without expired and superseded answers. A page may
 * have fewer tokens than `limit` and still have a `next`.
 * @throws Fault not-found if the project never offered it, invalid for a cursor of another list
 */
export async function listAccepted(
  planes: Planes,
  asked: AskedItem & { now: Date; at: Date | undefined },
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<AcceptedPage> {
  const { now, at } = asked;
  const [after, ...parts] = parseCursor(cursor, 1 + SNAPSHOT_PARTS) ?? [];
  // Reads the horizon before the list: the list then contains at least all records below it.
  const start =
    after === undefined ? await openSnapshot(planes.data, now, at) : parseSnapshot(parts);
  if (!start) throw toCursorFault();
  const item = await getOfferedItem(planes, asked, at);
  if (!item) return { items: [], next: undefined, changes: toCursor(toSnapshotParts(start)) };
  const snapshot = withSubstances(start, toSubstances(item));
  const read = { after, limit, instant: at ?? now, before: at && idAfter(at) };
  const { items, next } = await readPage(planes.data, item, read);
  return {
    items,
    next: next === undefined ? undefined : toCursor([next, ...toSnapshotParts(snapshot)]),
    changes: toCursor(toSnapshotParts(snapshot)),
  };
}

/** The snapshot of a reader that starts now, or as of an instant. */
export async function openSnapshot(db: DataDb, now: Date, at?: Date): Promise<Snapshot> {
  const horizon = await findHorizon(db);
  if (!at) return { id: horizon, instant: now, substances: [] };
  const bound = idAfter(at);
  return { id: bound < horizon ? bound : horizon, instant: at, substances: [] };
}

/** The combinations that accept the item. */
function choicesAccepting(choices: ItemChoices, item: OfferedItem): number[] {
  const accepted = new Set(listSubstances(item));
  return [...choices].flatMap(([choice, answer]) =>
    answer?.answer === "accepted" && accepted.has(answer.substance) ? [choice] : [],
  );
}

async function readPage(
  db: DataDb,
  item: OfferedItem,
  read: { after: string | undefined; limit: number; instant: Date; before: string | undefined },
): Promise<{ items: AcceptedToken[]; next: string | undefined }> {
  const { limit, instant, before } = read;
  const choices = await listItemChoices(db, item);
  // As of an instant, examines all combinations: a token may have accepted then and not now, or the reverse.
  const numbers = before ? [...choices.keys()] : choicesAccepting(choices, item);
  const window = { choices: numbers, limit: limit + EXTRA, before };
  const items: AcceptedToken[] = [];
  const rows = await listTokenItems(db, item, { ...window, after: read.after });
  for (const row of rows) {
    const state = toItemState(row, choices);
    if (!state || toStatus(state, item, instant) !== "accepted") continue;
    // This token starts the next page.
    if (items.length === limit) return { items, next: items.at(-1)?.token };
    items.push({ token: row.token, since: state.since, consentId: state.consentId });
  }
  return { items, next: rows.length < window.limit ? undefined : rows.at(-1)?.token };
}
