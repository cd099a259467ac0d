import { disableEndpoint } from "../endpoints/disabling.ts";
import { type Secrets, openSigner } from "../endpoints/signing.ts";
import type { Endpoint } from "../endpoints/store.ts";
import type { BodyMemory, Reservation, WebhooksApp } from "../ports.ts";
import { findReceivable, readBodies } from "./bodies.ts";
import { type DueRow, type Release, listDue } from "./queue-store.ts";
import { type AttemptResult, type Target, sendRequest } from "./request.ts";
import { FAILING_MS_MAX, toBackoffMs, toRetry } from "./retries.ts";
import type { Outcome } from "./store.ts";

/** Requests to one endpoint at a time. */
const CONCURRENCY = 8;
/** Limits of one batch. An endpoint whose last batch failed gets a single request, to see whether it has recovered. */
const BATCH_MAX = 64;
const BATCH_BYTES_MAX = 256 * 1024;
/** Failures in a row that end a batch: the rest would most likely fail too. */
const FAILURES_MAX = 3;
/** Backoff of an endpoint when memory for its bodies is exhausted. */
const CROWDED_MS = 500;

interface Due {
  delivery: DueRow;
  /** Undefined for a delivery that is cancelled: its record was erased, or its creator may not receive it. */
  payload?: { id: string; body: Buffer } | undefined;
  reservation: Reservation | undefined;
}

/** Due deliveries of one endpoint, with their bodies. */
export interface Batch {
  endpoint: Endpoint;
  due: Due[];
  /** No body fits into memory now. */
  isCrowded: boolean;
}

type Reading = Pick<WebhooksApp, "db" | "now" | "sources" | "publicUrl" | "held" | "counters">;

/** Reads a batch for each of these endpoints, all of them together. */
export async function readBatches(app: Reading, endpoints: readonly Endpoint[]): Promise<Batch[]> {
  const creatorOf = new Map(endpoints.map(({ id, created_by: creator }) => [id, creator]));
  const query = { webhookIds: [...creatorOf.keys()], now: app.now(), limit: BATCH_MAX };
  const rows = await listDue(app.db, query);
  const deliveries = rows.map((row) => ({ ...row, creator: creatorOf.get(row.webhook_id) ?? "" }));
  const receivable = await findReceivable(app.db, app, deliveries);
  const rowsOf = Map.groupBy(rows, (row) => row.webhook_id);
  const batches = endpoints.map((endpoint) =>
    takeBatch(app.held, { endpoint, rows: rowsOf.get(endpoint.id) ?? [], receivable }),
  );
  const due = batches.flatMap((batch) => batch.due).filter(({ reservation }) => reservation);
  try {
    const subjects = due.map(({ delivery }) => delivery);
    for (const [at, body] of (await readBodies(app, subjects)).entries()) {
      const one = due[at];
      if (!one) continue;
      one.payload = body && { id: body.id, body: Buffer.from(JSON.stringify(body.json)) };
      one.reservation?.settle(one.payload?.body.length ?? 0);
    }
  } catch (error) {
    batches.forEach(freeBatch);
    throw error;
  }
  return batches;
}

function takeBatch(
  held: BodyMemory,
  {
    endpoint,
    rows,
    receivable,
  }: { endpoint: Endpoint; rows: readonly DueRow[]; receivable: ReadonlySet<number> },
): Batch {
  const due: Due[] = [];
  const max = endpoint.failures > 0 ? 1 : BATCH_MAX;
  let bytes = 0;
  for (const delivery of rows) {
    if (due.length >= max || (bytes > 0 && bytes + delivery.bytes_max > BATCH_BYTES_MAX)) break;
    const isReceivable = receivable.has(delivery.id);
    const reservation = isReceivable
      ? held.reserve(endpoint.created_by, delivery.bytes_max)
      : undefined;
    if (isReceivable && !reservation) continue;
    due.push({ delivery, reservation });
    if (reservation) bytes += delivery.bytes_max;
  }
  return { endpoint, due, isCrowded: rows.length > 0 && due.length === 0 };
}

function freeBatch({ due }: Batch): void {
  for (const { reservation } of due) reservation?.[Symbol.dispose]();
}

export type Sending = Pick<
  WebhooksApp,
  "db" | "now" | "log" | "sealing" | "sources" | "poster" | "outbox" | "counters"
> & { record: (outcome: Outcome) => Promise<void>; signal: AbortSignal };

/** The results of a batch so far. */
interface Progress {
  succeeded: number;
  failed: number;
  failedInRow: number;
  firstFailedAt: Date | null;
  lastFailedAt: Date | null;
  isGone: boolean;
  /** The receiver limits all deliveries for this long; 0: it does not. */
  limitedMs: number;
}

/** Sends a batch, no request after `untilMs`; disables an endpoint that is gone, or failed for five days. */
export async function sendBatch(app: Sending, batch: Batch, untilMs: number): Promise<Release> {
  const { endpoint } = batch;
  const progress: Progress = {
    succeeded: 0,
    failed: 0,
    failedInRow: 0,
    firstFailedAt: null,
    lastFailedAt: null,
    isGone: false,
    limitedMs: 0,
  };
  const target = {
    url: new URL(endpoint.url),
    headers: app.sealing.unseal<Record<string, string>>(endpoint.headers),
    sign: openSigner(app.sealing.unseal<Secrets>(endpoint.secrets)),
  };
  const unrecorded: unknown[] = [];
  const isOver = (): boolean =>
    unrecorded.length > 0 ||
    progress.isGone ||
    progress.limitedMs > 0 ||
    progress.failedInRow >= FAILURES_MAX ||
    performance.now() > untilMs ||
    app.signal.aborted;
  const queue = batch.due.values();
  // Frees the bodies that will not be sent, before running requests have ended.
  const dropRest = (): void => {
    for (const { reservation } of queue) reservation?.[Symbol.dispose]();
  };
  const timer = setTimeout(dropRest, Math.max(0, untilMs - performance.now()));
  const recording: Promise<void>[] = [];
  const work = async (): Promise<void> => {
    for (const due of queue) {
      if (isOver()) return dropRest();
      const outcome = await sendOne(app, { target, progress, due });
      if (!outcome) return;
      const recorded = app.record(outcome).catch((error: unknown) => void unrecorded.push(error));
      recording.push(recorded.finally(() => due.reservation?.[Symbol.dispose]()));
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  } finally {
    clearTimeout(timer);
    await Promise.all(recording).finally(() => freeBatch(batch));
  }
  // After the lease expires, the same deliveries are sent again.
  if (unrecorded.length > 0) throw new Error("outcomes not recorded", { cause: unrecorded[0] });
  await disableIfDead(app, endpoint, progress);
  return toRelease(batch, progress, app.now());
}

/** The outcome of a delivery; undefined if shutdown aborted its request, which is no failure of the receiver. */
async function sendOne(
  app: Sending,
  { target, progress, due }: { target: Target; progress: Progress; due: Due },
): Promise<Outcome | undefined> {
  const { delivery, payload, reservation } = due;
  const { id, webhook_id: webhookId } = delivery;
  if (!payload || !reservation) return { id, webhookId, nextAt: null, status: "cancelled" };
  const request = { ...payload, signal: app.signal, keep: reservation.keep };
  const result = await sendRequest(app, target, request);
  const { attempt, longAnswer } = result;
  const { status, durationMs, requestId, error } = attempt;
  const deliveryId = app.counters.deliveries.toText(id);
  const logged = { webhookId, deliveryId, status, durationMs, requestId, error };
  app.log.debug(logged, "webhook delivery sent");
  if (app.signal.aborted && status === null) return undefined;
  const now = app.now();
  noteResult(progress, result, now);
  if (result.isSuccess) return { id, webhookId, nextAt: null, status: "delivered", attempt };
  const { attempts, created_at: createdAt } = delivery;
  const retry = toRetry({ ...result, attempts: attempts + 1, createdAt, now });
  if (!retry) return { id, webhookId, nextAt: null, status: "parked", attempt, longAnswer };
  const { at: nextAt, isFree } = retry;
  return { id, webhookId, nextAt, status: "pending", attempt, isFree, longAnswer };
}

function noteResult(
  progress: Progress,
  { isSuccess, isGone, limitedMs }: AttemptResult,
  now: Date,
): void {
  if (isSuccess) {
    progress.succeeded += 1;
    progress.failedInRow = 0;
    return;
  }
  progress.firstFailedAt ??= now;
  progress.lastFailedAt = now;
  progress.isGone ||= isGone;
  // A limit is no failure: the receiver works.
  if (limitedMs !== undefined) progress.limitedMs = Math.max(progress.limitedMs, limitedMs);
  else {
    progress.failed += 1;
    progress.failedInRow += 1;
  }
}

async function disableIfDead(
  app: Sending,
  { id, failing_since: since }: Endpoint,
  { isGone, succeeded, firstFailedAt }: Progress,
): Promise<void> {
  if (isGone) return disableEndpoint(app, id, "gone");
  if (succeeded > 0 || !since || !firstFailedAt) return;
  if (firstFailedAt.getTime() - since.getTime() >= FAILING_MS_MAX)
    await disableEndpoint(app, id, "failing");
}

function toRelease({ endpoint, isCrowded }: Batch, progress: Progress, now: Date): Release {
  const { id, leased_until: leasedUntil } = endpoint;
  const { succeeded, failed, failedInRow, limitedMs, firstFailedAt, lastFailedAt } = progress;
  const isFailed = failed > 0 && (succeeded === 0 || failedInRow >= FAILURES_MAX);
  const failures = (succeeded > 0 ? 0 : endpoint.failures) + (isFailed ? 1 : 0);
  const backoffMs = isCrowded ? CROWDED_MS : toBackoffMs({ failures, limitedMs });
  const backoffUntil = new Date((lastFailedAt ?? now).getTime() + backoffMs);
  return {
    id,
    leasedUntil: leasedUntil ?? now,
    failures,
    backoffUntil: backoffMs > 0 ? backoffUntil : null,
    hasSucceeded: succeeded > 0,
    failedAt: firstFailedAt,
  };
}
