import { openRounds } from "../../platform/rounds.ts";
import type { WebhooksApp } from "./app.ts";
import { type Lane, claimLanes } from "./lanes-store.ts";
import { type Serving, serveLane } from "./lane.ts";
import { openRecorder } from "./recorder.ts";

/** Lanes that one node serves at a time; of those half at most may be slow or failing ones. */
const LANES_MAX = 128;
const POOR_MAX = LANES_MAX / 2;
/** Longer than a round and the last request that it begins. After a node's death its lanes wait so long. */
const LEASE_MS = 30_000;
const IDLE_MS = 100;
const RETRY_MS = 1_000;

/**
 * Opens the work that sends what is due. Any number of nodes may have it open: each webhook's lane is
 * served by one of them at a time. A slow or dead webhook has only its own lane, and such lanes have at
 * most half of a node: the others go on. Disposed, it ends what it has begun, or cuts it.
 */
export function openDispatcher(app: WebhooksApp): AsyncDisposable {
  const stopping = new AbortController();
  const serving: Serving = { ...app, recorder: openRecorder(app), signal: stopping.signal };
  const open = new Map<Promise<void>, Lane>();
  const serve = (lane: Lane): void => {
    const served = serveLane(serving, lane)
      .catch((err: unknown) =>
        app.log.error({ err, webhookId: lane.webhookId }, "a webhook was not served"),
      )
      .finally(() => open.delete(served));
    open.set(served, lane);
  };
  const claim = async (isPoor: boolean, limit: number): Promise<number> => {
    if (limit <= 0) return 0;
    const now = app.now();
    const until = new Date(now.getTime() + LEASE_MS);
    const lanes = await claimLanes(app.db, { now, until, isPoor, limit });
    for (const lane of lanes) serve(lane);
    return lanes.length;
  };
  const round = async (): Promise<number> => {
    const poor = [...open.values()].filter(({ isPoor }) => isPoor).length;
    await claim(false, LANES_MAX - open.size);
    await claim(true, Math.min(POOR_MAX - poor, LANES_MAX - open.size));
    return IDLE_MS;
  };
  const rounds = openRounds(round, {
    retryMs: RETRY_MS,
    onError: (err) => app.log.error({ err }, "webhooks were not looked for"),
  });
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await rounds[Symbol.asyncDispose]();
      await Promise.all(open.keys());
    },
  };
}
