import { randomUUID } from "node:crypto";
import { type Rounds, openRounds } from "../../platform/rounds.ts";
import type { WebhooksApp } from "./app.ts";
import { type Serving, serveLane } from "./lane.ts";
import { type Lane, claimLanes, renewLanes } from "./lanes-store.ts";
import { openRecorder } from "./recorder.ts";
import { type WebhookRow, listWebhooksById } from "./store.ts";
import { type Work, readWork } from "./work.ts";

/** Lanes that one node serves at a time; slow and failing ones have places of their own. */
const USUAL_MAX = 128;
const POOR_MAX = 64;
/** Of each kind taken at a time, so that nodes which have less to do get some. */
const CLAIM_MAX = 32;
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

/**
 * Opens the work that sends what is due. Any number of nodes may have it open: each webhook's lane is
 * served by one of them at a time. A slow or dead webhook has only its own lane, and such lanes take no place
 * of the others, which go on. Woken where something new is due, it looks at once. Disposed, it ends what it
 * has begun, or cuts it.
 */
export function openDispatcher(app: WebhooksApp): Rounds {
  const stopping = new AbortController();
  const serving: Serving = { ...app, recorder: openRecorder(app), signal: stopping.signal };
  const open = new Map<string, { lane: Lane; served: Promise<void> }>();
  const by = randomUUID();
  const renew = async (): Promise<void> => {
    const now = app.now();
    const ending = now.getTime() + RENEW_MS;
    const lanes = [...open.values()].map(({ lane }) => lane);
    const due = lanes.filter(({ leasedUntil }) => leasedUntil.getTime() <= ending);
    if (due.length === 0) return;
    const until = untilOf(now);
    const webhookIds = due.map(({ webhookId }) => webhookId);
    const kept = await renewLanes(app.db, { webhookIds, by, until });
    for (const lane of due) if (kept.has(lane.webhookId)) lane.leasedUntil = until;
  };
  const claim = async (): Promise<Lane[]> => {
    const poor = [...open.values()].filter(({ lane }) => lane.isPoor).length;
    const max = {
      usual: Math.min(CLAIM_MAX, USUAL_MAX - (open.size - poor)),
      poor: Math.min(CLAIM_MAX, POOR_MAX - poor),
    };
    if (max.usual === 0 && max.poor === 0) return [];
    const now = app.now();
    const lanes = await claimLanes(app.db, { now, until: untilOf(now), by, max });
    // One that it has still open, and held too long, ends by itself first; its release gives it back.
    return lanes.filter(({ webhookId }) => !open.has(webhookId));
  };
  const serve = (lane: Lane, webhook: WebhookRow, work: Work[]): void => {
    const { webhookId } = lane;
    const served = serveLane(serving, lane, { webhook, due: work })
      .catch((err: unknown) => app.log.error({ err, webhookId }, "a webhook was not served"))
      .finally(() => open.delete(webhookId));
    open.set(webhookId, { lane, served });
  };
  const round = async (): Promise<number> => {
    await renew();
    const lanes = await claim();
    if (lanes.length === 0) return IDLE_MS;
    const webhooks = await listWebhooksById(
      app.db,
      lanes.map(({ webhookId }) => webhookId),
    );
    const enabled = webhooks.filter((webhook) => webhook.enabled).map(({ id }) => id);
    const work = await readWork(app, enabled, FIRST_MAX);
    for (const lane of lanes) {
      const webhook = webhooks.find(({ id }) => id === lane.webhookId);
      if (webhook) serve(lane, webhook, work.get(webhook.id) ?? []);
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
