import { type Rounds, openRounds } from "../../platform/rounds.ts";
import type { WebhooksApp } from "./app.ts";
import { type Serving, serveLane } from "./lane.ts";
import { type Lane, claimLanes } from "./lanes-store.ts";
import { openRecorder } from "./recorder.ts";
import { listWebhooksById } from "./store.ts";
import { readWork } from "./work.ts";

/** Lanes that one node serves at a time; slow and failing ones have places of their own. */
const USUAL_MAX = 128;
const POOR_MAX = 64;
/** Of each lane so much is read with the others'; more of it by itself. */
const FIRST_MAX = 16;
/** Longer than a round and the last request that it begins. After a node's death its lanes wait so long. */
const LEASE_MS = 30_000;
const IDLE_MS = 100;
const RETRY_MS = 1_000;

/**
 * Opens the work that sends what is due. Any number of nodes may have it open: each webhook's lane is
 * served by one of them at a time. A slow or dead webhook has only its own lane, and such lanes take no place
 * of the others, which go on. Woken where something new is due, it looks at once. Disposed, it ends what it
 * has begun, or cuts it.
 */
export function openDispatcher(app: WebhooksApp): Rounds {
  const stopping = new AbortController();
  const serving: Serving = { ...app, recorder: openRecorder(app), signal: stopping.signal };
  const open = new Map<Promise<void>, Lane>();
  const claim = async (): Promise<Lane[]> => {
    const poor = [...open.values()].filter(({ isPoor }) => isPoor).length;
    const max = { usual: USUAL_MAX - (open.size - poor), poor: POOR_MAX - poor };
    if (max.usual === 0 && max.poor === 0) return [];
    const now = app.now();
    return claimLanes(app.db, { now, until: new Date(now.getTime() + LEASE_MS), max });
  };
  const serve = async (lanes: readonly Lane[]): Promise<void> => {
    const ids = lanes.map(({ webhookId }) => webhookId);
    const webhooks = await listWebhooksById(app.db, ids);
    const enabled = webhooks.filter((webhook) => webhook.enabled).map(({ id }) => id);
    const work = await readWork(app, enabled, FIRST_MAX);
    for (const lane of lanes) {
      const webhook = webhooks.find(({ id }) => id === lane.webhookId);
      if (!webhook) continue;
      const due = { work: work.get(lane.webhookId) ?? [], max: FIRST_MAX };
      const served = serveLane(serving, lane, { webhook, due })
        .catch((err: unknown) =>
          app.log.error({ err, webhookId: lane.webhookId }, "a webhook was not served"),
        )
        .finally(() => open.delete(served));
      open.set(served, lane);
    }
  };
  const round = async (): Promise<number> => {
    const lanes = await claim();
    if (lanes.length > 0) await serve(lanes);
    return IDLE_MS;
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
      await Promise.all(open.keys());
    },
  };
}
