import type { DataDb, Planes } from "../../../platform/db/db.ts";
import { timeOfId, uuidPattern } from "../../../kernel/ids.ts";
import { type CursorPage, parseCursor, toCursor, toCursorFault } from "../../../kernel/page.ts";
import {
  type AcceptedToken,
  type AskedItem,
  type OfferedItem,
  getOfferedItem,
  openSnapshot,
} from "./accepted.ts";
import { findNewestId } from "./accepted-store.ts";
import { type ChangedToken, WALK_BY_TOKEN, listWalks } from "./changes-walks.ts";
import { parsePast } from "./instants.ts";
import {
  SNAPSHOT_PARTS,
  type Snapshot,
  parseSnapshot,
  toSnapshotParts,
  toSubstances,
  withSubstances,
} from "./cursor.ts";
import { toStatus } from "../states/states.ts";

/** Limit of steps per page, each of bounded work: an incomplete page may still have a `next`. */
const STEPS_MAX = 8;
/** Upper bound of clock differences between nodes. */
const CLOCKS_MS = 60_000;

/** A change of a token: it accepts now (`added`), or no longer does. */
export interface Change extends AcceptedToken {
  change: "added" | "removed";
}

/** `changes` is the cursor for later changes, to use after the last page. */
export type ChangesPage = CursorPage<Change> & { changes: string };

/** The state of reading changes, over all pages. */
interface Reading {
  from: Snapshot;
  /** The reader's snapshot after the last page. */
  to: Snapshot;
  /** The newest record at the start; the next reading covers later ones. */
  newest: string;
  walk: string;
  after: string | undefined;
}

/**
 * The changes of an accepted list after `since` (the list's `changes`, or an instant), with the present status of each
 * token. Applying the changes of all pages to the earlier list results in the present list. A token may occur on
 * several pages.
 * @throws Fault not-found if the project never offered it, invalid for a cursor of another list
 */
export async function listChanges(
  planes: Planes,
  asked: AskedItem & { now: Date; since: string },
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<ChangesPage> {
  const { now } = asked;
  const from = await toFrom(planes, asked);
  const start = await toRun(planes.data, { from, now, cursor });
  const item = await getOfferedItem(planes, asked, undefined);
  if (!item) return { items: [], next: undefined, changes: toCursor(toSnapshotParts(start.to)) };
  const newest = start.newest || ((await findNewestId(planes.data, item)) ?? from.id);
  const run = { ...start, newest, to: withSubstances(start.to, toSubstances(item)) };
  const { items, next } = await readPage(planes.data, item, { run, now, limit });
  const { to } = run;
  return {
    items,
    next: next && toCursor([next.walk, next.after ?? "", newest, ...toSnapshotParts(to)]),
    changes: toCursor(toSnapshotParts(to)),
  };
}

/** A cursor is JSON in base64url and never begins like a date. */
const instantStart = /^\d{4}-/;
const sinceCursor = { path: "?since", source: "the list's `changes`, or send an instant" };

async function toFrom(
  planes: Planes,
  asked: AskedItem & { now: Date; since: string },
): Promise<Snapshot> {
  const { since, now } = asked;
  if (!instantStart.test(since)) {
    const snapshot = parseSnapshot(parseCursor(since, SNAPSHOT_PARTS, sinceCursor) ?? []);
    if (!snapshot) throw toCursorFault(sinceCursor);
    return snapshot;
  }
  const at = parsePast(since, { path: "?since", now }) ?? now;
  const item = await getOfferedItem(planes, asked, at);
  return {
    ...(await openSnapshot(planes.data, now, at)),
    substances: item ? [toSubstances(item)] : [],
  };
}

async function toRun(
  db: DataDb,
  { from, now, cursor }: { from: Snapshot; now: Date; cursor: string | undefined },
): Promise<Reading> {
  if (cursor === undefined)
    return { from, to: await openSnapshot(db, now), newest: "", walk: "", after: undefined };
  const [walk = "", after = "", newest = "", ...parts] =
    parseCursor(cursor, 3 + SNAPSHOT_PARTS) ?? [];
  const to = parseSnapshot(parts);
  const isPlace = after === "" || walk === WALK_BY_TOKEN || uuidPattern.test(after);
  if (!to || !isPlace || !uuidPattern.test(newest)) throw toCursorFault();
  return { from, to, newest, walk, after: after === "" ? undefined : after };
}

async function readPage(
  db: DataDb,
  item: OfferedItem,
  { run, now, limit }: { run: Reading; now: Date; limit: number },
): Promise<{ items: Change[]; next: Pick<Reading, "walk" | "after"> | undefined }> {
  const walks = await listWalks(db, { item, ...run });
  const changes = new Map<string, Change>();
  let { walk, after } = run;
  for (let step = 0; step < STEPS_MAX && changes.size < limit; step += 1) {
    const present = walks.find(({ name }) => name >= walk);
    if (!present) break;
    // If the walk no longer exists, the next one starts from its beginning.
    if (present.name !== walk) after = undefined;
    const stretch = await present.take(db, { after, limit: limit - changes.size });
    for (const found of stretch.found) {
      const change = toChange(found, { item, run, now });
      if (change) changes.set(change.token, change);
    }
    after = stretch.after;
    walk = after === undefined ? `${present.name} ` : present.name;
  }
  const items = [...changes.values()];
  return { items, next: walks.some(({ name }) => name >= walk) ? { walk, after } : undefined };
}

/** The change of a token; undefined if its status is certainly the same. */
function toChange(
  { token, state, isAnswered }: ChangedToken,
  { item, run, now }: { item: OfferedItem; run: Reading; now: Date },
): Change | undefined {
  const { since, consentId } = state;
  const status = toStatus(state, item, now);
  if (isAnswered && status !== "expired" && status !== "superseded") {
    // If the run began before the snapshot, the answer was the same at that time.
    const isOld = since.getTime() < timeOfId(run.from.id).getTime() - CLOCKS_MS;
    const [only, another] = run.from.substances;
    if (isOld && only === toSubstances(item) && another === undefined) return undefined;
  }
  return { token, change: status === "accepted" ? "added" : "removed", since, consentId };
}
