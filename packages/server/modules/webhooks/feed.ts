import type { Tx } from "../../platform/db/db.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { WebhooksApp } from "./app.ts";
import { isConsentName } from "./consent-rights.ts";
import { insertDeliveries } from "./deliveries-store.ts";
import { type Place, findLastNumber, lockHead, numberEvents, updateHead } from "./feed-store.ts";
import { readStretch } from "./messages.ts";
import { hasSubscribers, listSubscribers, updatePlace } from "./subscribers-store.ts";
import { toDeliveries } from "./subscriptions.ts";

const NUMBERED_MAX = 1_000;
/** More than that wait for one webhook never: it stays behind until some have been delivered. */
export const PENDING_MAX = 10_000;

/** What a round has written, and whether more waits. */
export interface Fed {
  made: number;
  isMore: boolean;
}

export type Feeding = Pick<WebhooksApp, "db" | "now" | "sources" | "sealing" | "publicUrl">;

/**
 * Writes a delivery for each webhook that is to be told of what happened since the last time, some of it,
 * in one transaction with how far that is: nothing is told twice for it, nothing is left out. Any number
 * of nodes may ask for it: one is at it at a time. Answers how many were written, and whether more waits;
 * undefined while another node is at it.
 */
export async function feedDeliveries(app: Feeding): Promise<Fed | undefined> {
  return inTransaction(app.db, async (tx) => {
    const head = await lockHead(tx);
    if (!head) return undefined;
    const known = await findLastNumber(tx);
    const last = await numberEvents(tx, { last: known, max: NUMBERED_MAX });
    const end = { position: last, leaf: await app.sources.findLogSize(tx) };
    if (end.position === head.position && end.leaf === head.leaf) return { made: 0, isMore: false };
    const isHeard = await hasSubscribers(tx);
    const live = isHeard ? await feedLive(tx, app, { from: head, until: end }) : undefined;
    const next = live?.to ?? end;
    await updateHead(tx, next, app.now());
    const isShort = next.position < end.position || next.leaf < end.leaf;
    return {
      made: live?.made ?? 0,
      isMore: isShort || last - known >= NUMBERED_MAX,
    };
  });
}

/** Tells those who are not behind, from the head on; answers how far that was, and how many deliveries it is. */
async function feedLive(
  tx: Tx,
  app: Feeding,
  { from, until }: { from: Place; until: Place },
): Promise<{ to: Place; made: number }> {
  const { messages, to } = await readStretch(tx, app, {
    from,
    until,
    isAsked: (projectIds) => findAsked(tx, app, projectIds),
  });
  const about = [...new Set(messages.map((message) => message.about))];
  const receivers = await app.sources.listReceivers(tx, about);
  const userIds = [...new Set([...receivers.values()].flatMap((users) => [...users]))];
  const projectIds = [...new Set(messages.flatMap(({ projectId }) => projectId ?? []))];
  const all = await listSubscribers(tx, { projectIds, userIds });
  const live = all.filter(({ position }) => position === null);
  const full = live.filter(({ pending }) => pending >= PENDING_MAX);
  await updatePlace(
    tx,
    full.map(({ id }) => id),
    from,
  );
  const told = live.filter(({ pending }) => pending < PENDING_MAX);
  const deliveries = toDeliveries(messages, told, { receivers, ...app.sealing });
  await insertDeliveries(tx, deliveries, app.now());
  return { to, made: deliveries.length };
}

/** Of these projects, those whose consents somebody is told of. */
async function findAsked(
  tx: Tx,
  { sources }: Feeding,
  projectIds: readonly string[],
): Promise<Set<string>> {
  if (projectIds.length === 0) return new Set();
  const receivers = await sources.listReceivers(tx, projectIds);
  const userIds = [...new Set([...receivers.values()].flatMap((users) => [...users]))];
  const subscribers = await listSubscribers(tx, { projectIds, userIds });
  const asking = subscribers.filter(({ events }) => events.some(isConsentName));
  return new Set(
    projectIds.filter((id) =>
      asking.some(
        (one) =>
          one.project_id === id ||
          (one.project_id === null && receivers.get(id)?.has(one.created_by)),
      ),
    ),
  );
}
