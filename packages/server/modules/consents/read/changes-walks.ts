import type { DataDb } from "../../../platform/db/db.ts";
import { firstIdAt, idAfter } from "../../../kernel/ids.ts";
import {
  type ItemChoices,
  listItemChoices,
  listRecordItems,
  listTokenItems,
  toItemState,
} from "./accepted-store.ts";
import { listImportsSince } from "./changes-store.ts";
import type { OfferedItem } from "./accepted.ts";
import { type Snapshot, listSnapshotSubstances, listSubstances, toSubstances } from "./cursor.ts";
import { listOfferedDays } from "../offers/offers-store.ts";
import { type ItemState, expiryOf } from "../states/states.ts";

const DAY_MS = 86_400_000;
/** Margin: an import sets its end time shortly before it commits. */
const ENDING_MS = 60_000;
const idMax = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** The name of the walk by token; all others walk by record. */
export const WALK_BY_TOKEN = "3";

/** The parameters of one reading of changes. */
interface ChangesQuery {
  item: OfferedItem;
  from: Snapshot;
  to: Snapshot;
  /** The newest record to look at. */
  newest: string;
}

/** A method of finding tokens that may have changed. */
export interface Walk {
  /** Walks run in the order of their names. */
  name: string;
  take: (db: DataDb, window: { after: string | undefined; limit: number }) => Promise<Stretch>;
}

export interface ChangedToken {
  token: string;
  state: ItemState;
  /** Whether it was found by a record after the snapshot, which may not have changed the status. */
  isAnswered: boolean;
}

/** The result of a step of a walk; `after`: the position to continue after, undefined at the end. */
interface Stretch {
  found: ChangedToken[];
  after: string | undefined;
}

/**
 * The walks that find all tokens whose acceptance of an item may have changed after a snapshot: by new answers, by expired
 * answers, by a changed offer, or by imported earlier answers.
 */
export async function listWalks(db: DataDb, asked: ChangesQuery): Promise<Walk[]> {
  const { item, from } = asked;
  const [choices, offeredDays, imports] = await Promise.all([
    listItemChoices(db, item),
    listOfferedDays(db, item),
    listImportsSince(db, item.projectId, new Date(from.instant.getTime() - ENDING_MS)),
  ]);
  const days = new Set(offeredDays);
  for (const answer of choices.values())
    if (answer?.answer === "accepted" && answer.days !== null) days.add(answer.days);
  const expiries = [...days].map((length) => walkExpired(asked, choices, length));
  const imported = imports.map((id) => walkImport(asked, choices, id));
  const walks = [
    walkAnswered(asked, choices),
    ...expiries,
    walkOffered(asked, choices),
    ...imported,
  ];
  return walks.filter((walk) => walk !== undefined).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Tokens that answered. */
function walkAnswered({ item, from, newest }: ChangesQuery, choices: ItemChoices): Walk {
  return {
    name: "1",
    async take(db, { after, limit }) {
      const range = { from: from.id, to: newest, after, limit };
      const rows = await listRecordItems(db, item, range);
      const found = rows.flatMap((row) => toFound(row.token, toItemState(row, choices), true));
      return { found, after: rows.length < limit ? undefined : rows.at(-1)?.id };
    },
  };
}

/** Tokens whose answer expired after `days` days without renewal. */
function walkExpired(
  { item, from, to }: ChangesQuery,
  choices: ItemChoices,
  days: number,
): Walk | undefined {
  const earlier = (instant: Date) => new Date(instant.getTime() - days * DAY_MS);
  const range = { from: firstIdAt(earlier(from.instant)), to: idAfter(earlier(to.instant)) };
  if (range.from >= range.to) return undefined;
  return {
    name: `2 ${String(days).padStart(5, "0")}`,
    async take(db, { after, limit }) {
      const rows = await listRecordItems(db, item, { ...range, after, limit });
      const found = rows.flatMap((row) => {
        const state = toItemState(row, choices);
        const isEnd = state?.consentId === row.id && state.days === days;
        return isEnd && state.answer === "accepted" ? toFound(row.token, state, false) : [];
      });
      return { found, after: rows.length < limit ? undefined : rows.at(-1)?.id };
    },
  };
}

/** Tokens that accepted the earlier or the present offer, if these differ. */
function walkOffered({ item, from }: ChangesQuery, choices: ItemChoices): Walk | undefined {
  const [only, another] = from.substances;
  if (only === toSubstances(item) && another === undefined) return undefined;
  const substances = new Set([...listSnapshotSubstances(from), ...listSubstances(item)]);
  const isAsked = (answer: Pick<ItemState, "answer" | "substance"> | null | undefined) =>
    answer?.answer === "accepted" && substances.has(answer.substance);
  const numbers = [...choices].flatMap(([choice, answer]) => (isAsked(answer) ? [choice] : []));
  return {
    name: WALK_BY_TOKEN,
    async take(db, { after, limit }) {
      const rows = await listTokenItems(db, item, { choices: numbers, after, limit });
      const found = rows.flatMap((row) => {
        const state = toItemState(row, choices);
        if (!state || !isAsked(state)) return [];
        const expiry = expiryOf(state);
        return expiry && expiry <= from.instant ? [] : toFound(row.token, state, false);
      });
      return { found, after: rows.length < limit ? undefined : rows.at(-1)?.token };
    },
  };
}

/** Tokens with answers from an import, which may be of any date. */
function walkImport({ item }: ChangesQuery, choices: ItemChoices, importId: string): Walk {
  return {
    name: `4 ${importId}`,
    async take(db, { after, limit }) {
      const range = { from: firstIdAt(new Date(0)), to: idMax, after, limit, importId };
      const rows = await listRecordItems(db, item, range);
      const found = rows.flatMap((row) => toFound(row.token, toItemState(row, choices), false));
      return { found, after: rows.length < limit ? undefined : rows.at(-1)?.id };
    },
  };
}

function toFound(token: string, state: ItemState | undefined, isAnswered: boolean): ChangedToken[] {
  return state ? [{ token, state, isAnswered }] : [];
}
