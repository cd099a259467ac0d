import type { Tx } from "../../platform/db/db.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { isConsentName } from "./consent-rights.ts";
import { insertDeliveries, lockLanes } from "./deliveries-store.ts";
import { type Fed, type Feeding, PENDING_MAX } from "./feed.ts";
import { type Place, findHeadPlace, lockHeadShared } from "./feed-store.ts";
import { EVENTS_MAX, LEAVES_MAX, readStretch } from "./messages.ts";
import {
  type Subscriber,
  findBehind,
  lockTurn,
  takeTurn,
  updatePlace,
} from "./subscribers-store.ts";
import { type NewDelivery, toDeliveries } from "./subscriptions.ts";

/** No turn is begun after that, so that what happens now is told beside them. */
const TURNS_MS = 200;

/**
 * Tells those who are behind, and have room, some of what they missed: each in its turn, in a transaction of its
 * own, so that a replay of years holds up nobody. Answers how many deliveries were written, and whether more waits.
 */
export async function feedBehind(app: Feeding, signal: AbortSignal): Promise<Fed> {
  const until = performance.now() + TURNS_MS;
  const asked = { pendingMax: PENDING_MAX / 2 };
  for (let made = 0; ;) {
    if (signal.aborted || performance.now() > until) return { made, isMore: true };
    const id = await takeTurn(app.db, { ...asked, now: app.now() });
    if (id === undefined) return { made, isMore: false };
    const step = await inTransaction(app.db, (tx) => feedOne(tx, app, id));
    // Another node is at it, and goes on with it.
    if (step === undefined) return { made, isMore: false };
    made += step;
  }
}

function isNear({ position, leaf }: Place, head: Place): boolean {
  return head.position - position <= EVENTS_MAX && head.leaf - leaf <= LEAVES_MAX;
}

async function feedOne(tx: Tx, app: Feeding, id: string): Promise<number | undefined> {
  if (!(await lockTurn(tx, id))) return undefined;
  const one = await findBehind(tx, id);
  if (!one) return 0;
  const seen = await findHeadPlace(tx);
  const from = toPlace(one, seen);
  // Only who is about to catch up has the head wait: else what is handed out meanwhile would be missed.
  const isLast = isNear(from, seen);
  if (isLast) await lockHeadShared(tx);
  const head = isLast ? await findHeadPlace(tx) : seen;
  const { deliveries, to } = await readMissed(tx, app, { one, head });
  await lockLanes([id]).execute(tx);
  const now = await findBehind(tx, id);
  // Replayed or disabled meanwhile: what was read is of no use.
  if (now?.position !== one.position || now.leaf !== one.leaf) return 0;
  await insertDeliveries(tx, deliveries, app.now());
  const isThere = isLast && to.position >= head.position && to.leaf >= head.leaf;
  await updatePlace(tx, [id], isThere ? undefined : to);
  return deliveries.length;
}

function toPlace({ position, leaf }: Subscriber, head: Place): Place {
  return { position: position ?? head.position, leaf: leaf ?? head.leaf };
}

/** The next of what a webhook has missed before the head, some of it, and how far that is. */
export async function readMissed(
  tx: Tx,
  app: Feeding,
  { one, head }: { one: Subscriber; head: Place },
): Promise<{ deliveries: NewDelivery[]; to: Place }> {
  const from = toPlace(one, head);
  const isOfConsents = one.events.some(isConsentName);
  const mayReceive = async (ids: readonly string[]) => {
    const receivers = await app.sources.listReceivers(tx, ids);
    return ids.filter((id) => receivers.get(id)?.has(one.created_by));
  };
  const { messages, to } = await readStretch(tx, app, {
    // What nobody asks for need not be walked through.
    from: isOfConsents ? from : { ...from, leaf: head.leaf },
    until: head,
    isAsked: async (ids) => {
      const own = ids.filter((id) => one.project_id === null || id === one.project_id);
      return new Set(await mayReceive(own));
    },
  });
  const about = [...new Set(messages.map((message) => message.about))];
  const receivers = await app.sources.listReceivers(tx, about);
  return { deliveries: toDeliveries(messages, [one], { receivers, ...app.sealing }), to };
}
