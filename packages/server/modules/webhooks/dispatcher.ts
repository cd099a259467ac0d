import { randomUUID } from "node:crypto";
import { type Rounds, openRounds } from "../../platform/queues/rounds.ts";
import type { WebhooksApp } from "./app.ts";
import { type Due, readDue } from "./due.ts";
import { openHeldBodies } from "./held-bodies.ts";
import { type Serving, serveLane } from "./lane.ts";
import { type Lane, claimLanes, renewLanes } from "./lanes-store.ts";
import { openRecorder } from "./recorder.ts";
import { CLAIM_MAX, type Open, toRoom } from "./room.ts";
import { type WebhookRow, listWebhooksById } from "./store.ts";

/** Of each lane so much is read with the others'; more of it by itself. */
const FIRST_MAX = 16;
/** After a node's death its lanes wait so long. */
const LEASE_MS = 10_000;
/** Leases that have no more than that left are made longer. */
const RENEW_MS = 7_000;
const IDLE_MS = 100;
const RETRY_MS = 1_000;

function untilOf(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS);
}

/** Makes leases longer that end soon. A lane that another node has taken meanwhile keeps its end. */
async function renewDue(
  { db, now }: WebhooksApp,
  lanes: readonly Lane[],
  by: string,
): Promise<void> {
  const at = now();
  const ending = at.getTime() + RENEW_MS;
  const due = lanes.filter(({ leasedUntil }) => leasedUntil.getTime() <= ending);
  if (due.length === 0) return;
  const until = untilOf(at);
  const webhookIds = due.map(({ webhookId }) => webhookId);
  const kept = await renewLanes(db, { webhookIds, by, until });
  for (const lane of due) if (kept.has(lane.webhookId)) lane.leasedUntil = until;
}

/**
 * Opens the work that sends what is due. Any number of nodes may have it open: each webhook's lane is
 * served by one of them at a time. A slow or dead webhook has only its own lane, such lanes take no place
 * of the others, and one maker's not all places. Woken where something new is due, it looks at once. Disposed,
 * it ends what it has begun, or cuts it.
 */
export function openDispatcher(app: WebhooksApp): Rounds {
  const stopping = new AbortController();
  const { signal } = stopping;
  const bodies = openHeldBodies(app, signal);
  const serving: Serving = { ...app, recorder: openRecorder(app), bodies, signal };
  const open = new Map<string, Open>();
  const by = randomUUID();
  const claim = async (): Promise<Lane[]> => {
    const room = toRoom([...open.values()], app.held);
    if (room.max.usual === 0 && room.max.poor === 0) return [];
    const now = app.now();
    const lanes = await claimLanes(app.db, { now, until: untilOf(now), by, ...room });
    // One that it has still open, and held too long, ends by itself first; its release gives it back.
    return lanes.filter(({ webhookId }) => !open.has(webhookId));
  };
  const serve = (lane: Lane, webhook: WebhookRow, due: Due[]): void => {
    const { webhookId } = lane;
    const waits = (): void => {
      const one = open.get(webhookId);
      if (!one || one.isWaiting) return;
      one.isWaiting = true;
      // Its place is free.
      rounds.wake();
    };
    const served = serveLane(serving, lane, { webhook, due, waits })
      .catch((err: unknown) => app.log.error({ err, webhookId }, "a webhook was not served"))
      .finally(() => open.delete(webhookId));
    open.set(webhookId, { lane, maker: webhook.created_by, isWaiting: false, served });
  };
  const round = async (): Promise<number> => {
    const lanesOpen = [...open.values()].map(({ lane }) => lane);
    await renewDue(app, lanesOpen, by);
    const lanes = await claim();
    if (lanes.length === 0) return IDLE_MS;
    const webhooks = await listWebhooksById(
      app.db,
      lanes.map(({ webhookId }) => webhookId),
    );
    const enabled = webhooks.filter((webhook) => webhook.enabled).map(({ id }) => id);
    const due = await readDue(app, enabled, FIRST_MAX);
    for (const lane of lanes) {
      const webhook = webhooks.find(({ id }) => id === lane.webhookId);
      if (webhook) serve(lane, webhook, due.get(webhook.id) ?? []);
    }
    return lanes.length < CLAIM_MAX ? IDLE_MS : 0;
  };
  const rounds = openRounds(round, {
    retryMs: RETRY_MS,
    onError: (err) => app.log.error({ err }, "webhooks were not looked for"),
  });
  return {
    wake: rounds.wake,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await rounds[Symbol.asyncDispose]();
      await Promise.all([...open.values()].map(({ served }) => served));
    },
  };
}
