import type { Tx } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { type NewDelivery, insertDeliveries, lockQueues } from "../deliveries/store.ts";
import { isConsentName } from "../endpoints/consent-rights.ts";
import type { WebhooksApp } from "../ports.ts";
import { type Cursor, lockHead, numberEvents, updateHead } from "./store.ts";
import { type Match, readStretch } from "./stretch.ts";
import {
  type Subscriber,
  findBehind,
  hasSubscribers,
  listSubscribers,
  claimBehind,
  updateCursors,
} from "./subscribers-store.ts";

const NUMBERED_MAX = 1_000;
/** Limit of one endpoint's pending deliveries: beyond it the endpoint falls behind the head. */
const PENDING_MAX = 10_000;

/** The result of one run: the number of deliveries written, and whether more can be fed now. */
export interface FeedResult {
  made: number;
  hasMore: boolean;
}

export type Feeding = Pick<WebhooksApp, "db" | "now" | "sources" | "sealing">;

/**
 * Writes the deliveries of events and consents since the head, for the endpoints at the head, in one transaction with the
 * new head: exactly once. Undefined while another node does.
 */
export async function feedHead(app: Feeding): Promise<FeedResult | undefined> {
  return inTransaction(app.db, async (tx) => {
    const head = await lockHead(tx);
    if (!head) return undefined;
    const { last, numbered } = await numberEvents(tx, NUMBERED_MAX);
    const end = { position: last, leaf: await app.sources.findLogSize() };
    if (isAt(head, end)) return { made: 0, hasMore: false };
    const { made, to } = (await hasSubscribers(tx))
      ? await feedStretch(tx, app, { from: head, until: end })
      : { made: 0, to: end };
    await updateHead(tx, to, app.now());
    return { made, hasMore: !isAt(to, end) || numbered === NUMBERED_MAX };
  });
}

function isAt(cursor: Cursor, end: Cursor): boolean {
  return cursor.position >= end.position && cursor.leaf >= end.leaf;
}

function isFull({ pending }: Subscriber): boolean {
  return pending >= PENDING_MAX;
}

async function feedStretch(
  tx: Tx,
  app: Feeding,
  { from, until }: { from: Cursor; until: Cursor },
): Promise<{ made: number; to: Cursor }> {
  const { matches, to } = await readStretch(tx, app, {
    from,
    until,
    projectId: null,
    findSubscriptions: (of) => listSubscribers(tx, of),
  });
  const full = matches.flatMap(({ subscription: one }) => (isFull(one) ? one.id : []));
  await updateCursors(tx, { ids: [...new Set(full)], cursor: from, now: app.now() });
  const fed = matches.filter(({ subscription }) => !isFull(subscription));
  await insertDeliveries(tx, toDeliveries(app, fed), app.now());
  return { made: fed.length, to };
}

function toDeliveries(
  { sealing }: Pick<WebhooksApp, "sealing">,
  matches: readonly Match<Subscriber>[],
): NewDelivery[] {
  return matches.map(({ message, event, subscription }) => {
    const { eventId, projectId, consentId, collection, identifier, order, bytesMax } = message;
    const subject = { eventId, projectId, consentId, collection, identifier };
    const orderKey = sealing.toKey(order);
    return { ...subject, webhookId: subscription.id, event, orderKey, bytesMax };
  });
}

/**
 * Feeds the next stretch to one endpoint behind the head, after a replay or once it has fewer pending deliveries. Uses a
 * separate transaction, so that it delays the head by one stretch at most. The head's lock keeps
 * the cursor; the endpoint is locked for the insert only, so that it can send while the stretch is read.
 */
export async function feedBehind(app: Feeding): Promise<FeedResult> {
  const id = await claimBehind(app.db, { pendingMax: PENDING_MAX / 2, now: app.now() });
  if (id === undefined) return { made: 0, hasMore: false };
  return inTransaction(app.db, async (tx) => {
    const head = await lockHead(tx);
    const one = head && (await findBehind(tx, id));
    if (!one) return { made: 0, hasMore: head !== undefined };
    const { deliveries, to } = await readDeliveriesBehindHead(tx, app, { one, head });
    await lockQueues(tx, [id]);
    if (!(await findBehind(tx, id))) return { made: 0, hasMore: true };
    await insertDeliveries(tx, deliveries, app.now());
    const cursor = isAt(to, head) ? undefined : to;
    await updateCursors(tx, { ids: [one.id], cursor, now: app.now() });
    return { made: deliveries.length, hasMore: true };
  });
}

/** The next deliveries that an endpoint missed before the head, and the cursor after them. */
export async function readDeliveriesBehindHead(
  tx: Tx,
  app: Feeding,
  { one, head }: { one: Subscriber; head: Cursor },
): Promise<{ deliveries: NewDelivery[]; to: Cursor }> {
  const leaf = one.events.some(isConsentName) ? (one.leaf ?? head.leaf) : head.leaf;
  const { matches, to } = await readStretch(tx, app, {
    from: { position: one.position ?? head.position, leaf },
    until: head,
    projectId: one.project_id,
    findSubscriptions: () => Promise.resolve([one]),
  });
  return { deliveries: toDeliveries(app, matches), to };
}
