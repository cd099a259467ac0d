import { openGroupWriter } from "../../../platform/queues/groups.ts";
import { type WorkerLoop, openWorkerLoop } from "../../../platform/queues/worker-loop.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import type { WebhooksApp } from "../ports.ts";
import { type Batch, readBatches, sendBatch } from "./batch.ts";
import { type Release, claimEndpoints, releaseEndpoints } from "./queue-store.ts";
import { type Outcome, updateOutcomes } from "./store.ts";

/** Endpoints that one node sends to at a time. */
const OPEN_MAX = 1_024;
/** Endpoints claimed at a time, so that idle nodes get some. */
const CLAIM_MAX = 32;
/** No request of a batch starts later. */
const BATCH_MS = 4_000;
/** Longer than a batch with its last request (20 s). The lease of a crashed sender blocks the endpoint this long. */
const LEASE_MS = 30_000;
const IDLE_MS = 100;
const RETRY_MS = 1_000;

/**
 * Opens the sender of due deliveries. Any number of nodes may run one. Each endpoint has a batch of its own, so that a
 * slow or dead one delays no other. On disposal it waits for started requests, or cuts them.
 */
export function openDispatcher(app: WebhooksApp): WorkerLoop {
  const { sendingDb: db, now, log } = app;
  const stopping = new AbortController();
  const open = new Map<string, Promise<void>>();
  const dueAgain = new Set<string>();
  const record = openGroupWriter<Outcome>((outcomes) =>
    inTransaction(db, (tx) => updateOutcomes(tx, outcomes, now())),
  );
  const release = openGroupWriter<Release>(async (releases) => {
    const due = await inTransaction(db, (tx) => releaseEndpoints(tx, releases, now()));
    for (const id of due) dueAgain.add(id);
  });
  const sending = { ...app, db, record, signal: stopping.signal };
  const send = async (batch: Batch, untilMs: number): Promise<void> => {
    const { id } = batch.endpoint;
    try {
      await release(await sendBatch(sending, batch, untilMs));
    } catch (err) {
      log.error({ err, webhookId: id }, "webhook batch failed");
    } finally {
      open.delete(id);
      if (dueAgain.delete(id)) rounds.wake();
    }
  };
  const round = async (): Promise<number> => {
    const max = Math.min(CLAIM_MAX, OPEN_MAX - open.size);
    // Another node may have memory for what is due.
    if (max === 0 || app.held.isFull()) return IDLE_MS;
    const untilMs = performance.now() + BATCH_MS;
    const at = now();
    const until = new Date(at.getTime() + LEASE_MS);
    const endpoints = await claimEndpoints(db, { now: at, until, except: [...open.keys()], max });
    if (endpoints.length === 0) return IDLE_MS;
    for (const batch of await readBatches({ ...app, db }, endpoints))
      open.set(batch.endpoint.id, send(batch, untilMs));
    return endpoints.length < max ? IDLE_MS : 0;
  };
  const rounds = openWorkerLoop(round, {
    retryMs: RETRY_MS,
    onError: (err) => log.error({ err }, "webhook dispatch failed, will retry"),
  });
  return {
    wake: rounds.wake,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await rounds[Symbol.asyncDispose]();
      await Promise.all(open.values());
    },
  };
}
