import type { WebhooksApp } from "./app.ts";
import { readBodies } from "./bodies.ts";
import { type Delivered, type Target, deliver } from "./deliver.ts";
import { type DeliveryRow, type Outcome, listDue } from "./deliveries-store.ts";
import { disableWebhook } from "./disabling.ts";
import { type Lane, releaseLane } from "./lanes-store.ts";
import type { Recorder } from "./recorder.ts";
import { FAILING_MS_MAX, toNextAt, toRestMs } from "./retries.ts";
import type { Secrets } from "./signing.ts";
import { type WebhookRow, findWebhook, updateFailing } from "./store.ts";

/** Requests to one webhook at a time; one only after a failure, to see whether it is back. */
export const CONCURRENCY = 8;
const DUE_MAX = 64;
/** No request is begun after that: a lane that has more comes again, after the others. */
const ROUND_MS = 4_000;
/** Who takes longer, on the average, shares its connections with others of the kind. */
const SLOW_MS = 1_000;
/** Rounds that failed in a row. */
const FAILURES_POOR = 3;
/** Requests that failed in a row. */
const FAILURES_MAX = 3;
const RETRY_AFTER_MS_MAX = 3_600_000;

export type Serving = Pick<
  WebhooksApp,
  "db" | "now" | "log" | "sealing" | "sources" | "publicUrl" | "poster" | "outbox"
> & { recorder: Recorder; signal: AbortSignal };

/** What a round of a lane has seen. */
interface Round {
  webhook: WebhookRow;
  target: Target;
  sent: number;
  sentMs: number;
  succeeded: number;
  /** Failures since the last success. */
  failedInRow: number;
  /** So many end the round: what else waits would most likely fail too. */
  failuresMax: number;
  /** How long its receiver asked to be left alone. */
  retryAfterMs: number;
  isOver: boolean;
}

/** Sends what is due to one webhook, for a few seconds at most, and gives its lane back. */
export async function serveLane(app: Serving, lane: Lane): Promise<void> {
  const webhook = await findWebhook(app.db, { kind: "system" }, lane.webhookId);
  if (!webhook) return;
  const round = webhook.enabled ? await runRound(app, lane, webhook) : undefined;
  const { sent = 0, sentMs = 0, retryAfterMs = 0 } = round ?? {};
  const failures = round ? toFailures(lane, round) : lane.failures;
  const isSlow = sent > 0 ? sentMs / sent > SLOW_MS : lane.isPoor;
  const restMs = Math.max(toRestMs(failures), Math.min(retryAfterMs, RETRY_AFTER_MS_MAX));
  const restsUntil = restMs > 0 ? new Date(app.now().getTime() + restMs) : null;
  const isPoor = isSlow || failures >= FAILURES_POOR;
  await releaseLane(app.db, { ...lane, failures, isPoor, restsUntil });
}

/** Rounds that failed in a row, with this one. */
function toFailures(lane: Lane, { isOver, sent, succeeded }: Round): number {
  if (isOver || (sent > 0 && succeeded === 0)) return lane.failures + 1;
  return succeeded > 0 ? 0 : lane.failures;
}

async function runRound(app: Serving, lane: Lane, webhook: WebhookRow): Promise<Round> {
  const target = {
    url: new URL(webhook.url),
    headers: app.sealing.unseal<Record<string, string>>(webhook.headers),
    secrets: app.sealing.unseal<Secrets>(webhook.secrets),
  };
  const round: Round = {
    webhook,
    target,
    sent: 0,
    sentMs: 0,
    succeeded: 0,
    failedInRow: 0,
    failuresMax: lane.failures > 0 ? 1 : FAILURES_MAX,
    retryAfterMs: 0,
    isOver: false,
  };
  const deadline = performance.now() + ROUND_MS;
  while (!round.isOver && performance.now() < deadline && !app.signal.aborted) {
    const due = await listDue(app.db, { webhookId: webhook.id, now: app.now(), limit: DUE_MAX });
    if (due.length === 0) break;
    const bodies = await readBodies(app.db, app, due);
    const queue = due.map((delivery, at) => ({ delivery, body: bodies[at] }));
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        if (round.isOver || performance.now() > deadline || app.signal.aborted) return;
        await sendOne(app, round, next);
      }
    };
    const workers = lane.failures > 0 && round.succeeded === 0 ? 1 : CONCURRENCY;
    await Promise.all(Array.from({ length: workers }, work));
  }
  return round;
}

async function sendOne(
  app: Serving,
  round: Round,
  {
    delivery,
    body,
  }: { delivery: DeliveryRow; body: Parameters<typeof deliver>[2]["body"] | undefined },
): Promise<void> {
  const { id, webhook_id: webhookId } = delivery;
  const ended = { id, webhookId, nextAt: null };
  if (!body) {
    await app.recorder.record({ ...ended, status: "cancelled", attempt: undefined });
    return;
  }
  const { signal } = app;
  const delivered = await deliver(app, round.target, { body, signal });
  const { attempt, isSuccess } = delivered;
  // Ended by the service's own end: that says nothing of the receiver.
  if (signal.aborted && attempt.status === null) return;
  round.sent += 1;
  round.sentMs += attempt.durationMs;
  await app.recorder.record(
    isSuccess ? { ...ended, status: "delivered", attempt } : toFailed(app, delivery, delivered),
  );
  if (isSuccess) await noteSuccess(app, round);
  else await noteFailure(app, round, delivered);
}

function toFailed(
  { now }: Pick<Serving, "now">,
  { id, webhook_id: webhookId, attempts }: DeliveryRow,
  { attempt, longAnswer, retryAfterMs }: Delivered,
): Outcome {
  const nextAt = toNextAt(attempts + 1, { now: now(), retryAfterMs }) ?? null;
  return { id, webhookId, nextAt, status: nextAt ? "pending" : "parked", attempt, longAnswer };
}

async function noteSuccess({ db }: Serving, round: Round): Promise<void> {
  round.succeeded += 1;
  round.failedInRow = 0;
  round.failuresMax = FAILURES_MAX;
  if (round.webhook.failing_since === null) return;
  round.webhook.failing_since = null;
  await updateFailing(db, round.webhook.id, null);
}

async function noteFailure(app: Serving, round: Round, delivered: Delivered): Promise<void> {
  const { webhook } = round;
  round.failedInRow += 1;
  round.isOver ||= round.failedInRow >= round.failuresMax || delivered.retryAfterMs !== undefined;
  round.retryAfterMs = Math.max(round.retryAfterMs, delivered.retryAfterMs ?? 0);
  const now = app.now();
  if (delivered.isGone) {
    round.isOver = true;
    return disableWebhook(app, webhook.id, "gone");
  }
  if (webhook.failing_since === null) {
    webhook.failing_since = now;
    await updateFailing(app.db, webhook.id, now);
  } else if (now.getTime() - webhook.failing_since.getTime() >= FAILING_MS_MAX)
    await disableWebhook(app, webhook.id, "failing");
}
