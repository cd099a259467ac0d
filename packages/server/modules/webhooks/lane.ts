import type { WebhooksApp } from "./app.ts";
import { type Delivered, type Target, deliver } from "./deliver.ts";
import type { DueRow, Outcome } from "./deliveries-store.ts";
import { disableWebhook } from "./disabling.ts";
import { type Due, readDue } from "./due.ts";
import type { HeldBodies, HeldBody, Payload } from "./held-bodies.ts";
import type { Share } from "./held-bytes.ts";
import type { Lane } from "./lanes-store.ts";
import type { Recorder } from "./recorder.ts";
import { FAILING_MS_MAX, toLaterAt, toNextAt, toRestMs } from "./retries.ts";
import { type Secrets, openSigner } from "./signing.ts";
import { type WebhookRow, updateFailing, updateUntried } from "./store.ts";

/** Requests to one webhook at a time; one only after a failure, to see whether it is back. */
const CONCURRENCY = 8;
const DUE_MAX = 64;
/** No request is begun after that: a lane that has more comes again, after the others. */
const ROUND_MS = 4_000;
/** Who takes longer for one answer gives its place up, and who does on the average shares its connections with others of the kind. */
const SLOW_MS = 1_000;
/** Rounds that failed in a row. */
const FAILURES_POOR = 3;
/** Requests that failed in a row. */
const FAILURES_MAX = 3;
/** So long at most a webhook is left alone because it asked for it. */
const LATER_MS_MAX = 3_600_000;

export type Serving = Pick<
  WebhooksApp,
  "db" | "now" | "log" | "sealing" | "sources" | "poster" | "outbox"
> & { recorder: Recorder; bodies: HeldBodies; signal: AbortSignal };

/** What was read of a lane together with others': its webhook, and the first of what is due. */
export interface Begun {
  webhook: WebhookRow;
  due: Due[];
  /** Told when a request has not been answered for a second: what the lane does then needs no place. */
  waits: () => void;
}

/** What a round of a lane has seen. */
interface Round {
  target: Target;
  share: Share;
  /** When it is over, as `performance.now` tells. */
  untilMs: number;
  /** No request is begun any more. */
  isEnded: () => boolean;
  waits: () => void;
  /** What is being kept of what was sent. */
  recording: Promise<void>[];
  sent: number;
  sentMs: number;
  succeeded: number;
  failed: number;
  /** Failures since the last success. */
  failedInRow: number;
  /** So many end the round: what else waits would most likely fail too. */
  failuresMax: number;
  failedAt: Date | undefined;
  lastFailedAt: Date | undefined;
  /** It answered 410. */
  isGone: boolean;
  /** How long its receiver asked to be left alone, with 429 or 503; 0: it did not. */
  laterMs: number;
  isOver: boolean;
}

/** Sends what is due to one webhook, for a few seconds at most, and gives its lane back. */
export async function serveLane(app: Serving, lane: Lane, begun: Begun): Promise<void> {
  const { webhook } = begun;
  const round = webhook.enabled ? await runRound(app, lane, begun) : undefined;
  if (round) await noteFailing(app, webhook, round);
  const { sent = 0, sentMs = 0, laterMs = 0 } = round ?? {};
  const failures = round ? toFailures(lane, round) : lane.failures;
  const isSlow = sent > 0 ? sentMs / sent > SLOW_MS : lane.isPoor;
  const restMs = laterMs > 0 ? Math.min(laterMs, LATER_MS_MAX) : toRestMs(failures);
  const since = round?.lastFailedAt ?? app.now();
  const restsUntil = restMs > 0 ? new Date(since.getTime() + restMs) : null;
  const isUnproven = lane.isPoor && !round?.succeeded;
  const isPoor = isSlow || isUnproven || failures >= FAILURES_POOR;
  await app.recorder.release({ ...lane, failures, isPoor, restsUntil });
}

/** Rounds that failed in a row, with this one. What was asked for later has not failed. */
function toFailures(lane: Lane, { succeeded, failed, failedInRow, failuresMax }: Round): number {
  const before = succeeded > 0 ? 0 : lane.failures;
  const isFailed = failed > 0 && (succeeded === 0 || failedInRow >= failuresMax);
  return isFailed ? before + 1 : before;
}

async function runRound(app: Serving, lane: Lane, begun: Begun): Promise<Round> {
  const { webhook, due, waits } = begun;
  const untilMs = performance.now() + ROUND_MS;
  // Who has the lane next sends what this one has not kept yet: nothing is begun after the lease.
  const isLost = () => app.now() >= lane.leasedUntil;
  const round: Round = {
    target: {
      url: new URL(webhook.url),
      headers: app.sealing.unseal<Record<string, string>>(webhook.headers),
      sign: openSigner(app.sealing.unseal<Secrets>(webhook.secrets)),
    },
    share: { maker: webhook.created_by, kind: lane.isPoor ? "poor" : "usual" },
    untilMs,
    isEnded: () => round.isOver || performance.now() > untilMs || app.signal.aborted || isLost(),
    waits,
    recording: [],
    sent: 0,
    sentMs: 0,
    succeeded: 0,
    failed: 0,
    failedInRow: 0,
    failuresMax: lane.failures > 0 ? 1 : FAILURES_MAX,
    failedAt: undefined,
    lastFailedAt: undefined,
    isGone: false,
    laterMs: 0,
    isOver: false,
  };
  // What waited when the lane was taken, and was not read yet; what came since sets `due_at` of the lane.
  let left = lane.pending - due.length;
  for (let queue = due; queue.length > 0;) {
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next && !round.isEnded(); next = queue.shift())
        await sendOne(app, round, next);
    };
    const workers = lane.failures > 0 && round.succeeded === 0 ? 1 : CONCURRENCY;
    await Promise.all(Array.from({ length: workers }, work));
    await Promise.all(round.recording.splice(0));
    if (left <= 0 || round.isEnded()) break;
    queue = (await readDue(app, [webhook.id], DUE_MAX)).get(webhook.id) ?? [];
    left -= queue.length;
  }
  return round;
}

/** Sends one once there is room for its body, which is held until it is kept what became of it. */
async function sendOne(app: Serving, round: Round, { delivery, isTellable }: Due): Promise<void> {
  const cancelled = toCancelled(delivery);
  if (!isTellable) return void round.recording.push(app.recorder.record(cancelled));
  const { share, untilMs } = round;
  const slow = setTimeout(round.waits, SLOW_MS);
  try {
    const held = await app.bodies.hold({ delivery, share, untilMs });
    if (!held) return;
    using kept = new DisposableStack();
    kept.use(held);
    const { payload } = held;
    if (round.isEnded()) return;
    const outcome = payload ? await sendHeld(app, round, { delivery, payload, held }) : cancelled;
    if (!outcome) return;
    const rest = kept.move();
    round.recording.push(app.recorder.record(outcome).finally(() => rest.dispose()));
  } finally {
    clearTimeout(slow);
  }
}

function toCancelled({ id, webhook_id: webhookId }: DueRow): Outcome {
  return { id, webhookId, nextAt: null, status: "cancelled", attempt: undefined };
}

/** What became of it; undefined where the service's own end cut it, which says nothing of the receiver. */
async function sendHeld(
  app: Serving,
  round: Round,
  { delivery, payload, held }: { delivery: DueRow; payload: Payload; held: HeldBody },
): Promise<Outcome | undefined> {
  const { id, webhook_id: webhookId } = delivery;
  const { signal } = app;
  const { keep } = held;
  const delivered = await deliver(app, round.target, { payload, signal, keep });
  const { attempt, isSuccess } = delivered;
  const { status, durationMs, requestId, error } = attempt;
  const told = { webhookId, deliveryId: id, status, durationMs, requestId, error };
  app.log.debug(told, "a delivery was sent");
  if (signal.aborted && status === null) return undefined;
  round.sent += 1;
  round.sentMs += durationMs;
  if (isSuccess) noteSuccess(round);
  else noteFailure(round, delivered, app.now());
  if (!isSuccess) return toFailed(app, delivery, delivered);
  return { id, webhookId, nextAt: null, status: "delivered", attempt };
}

function toFailed(
  { now }: Pick<Serving, "now">,
  { id, webhook_id: webhookId, attempts, created_at: createdAt }: DueRow,
  { attempt, longAnswer, retryAfterMs, laterMs }: Delivered,
): Outcome {
  const at = now();
  const laterAt = laterMs === undefined ? undefined : toLaterAt(createdAt, { now: at, laterMs });
  const isFree = laterAt !== undefined;
  const nextAt = laterAt ?? toNextAt(attempts + 1, { now: at, retryAfterMs }) ?? null;
  const status = nextAt ? "pending" : "parked";
  return { id, webhookId, nextAt, status, attempt, isFree, longAnswer };
}

function noteSuccess(round: Round): void {
  round.succeeded += 1;
  round.failedInRow = 0;
  round.failuresMax = FAILURES_MAX;
}

function noteFailure(round: Round, { isGone, laterMs }: Delivered, now: Date): void {
  round.failedAt ??= now;
  round.lastFailedAt = now;
  if (laterMs !== undefined) {
    round.laterMs = Math.max(round.laterMs, laterMs);
    round.isOver = true;
    return;
  }
  round.failed += 1;
  round.failedInRow += 1;
  round.isGone ||= isGone;
  round.isOver ||= isGone || round.failedInRow >= round.failuresMax;
}

/** Keeps since when nothing has succeeded, and disables a webhook that is gone, or of which that is too long ago. */
async function noteFailing(
  app: Serving,
  { id, failing_since: since }: WebhookRow,
  { isGone, succeeded, failedAt }: Round,
): Promise<void> {
  if (isGone) return disableWebhook(app, id, "gone");
  if (succeeded > 0) return since ? updateFailing(app.db, id, null) : undefined;
  if (!since) return failedAt && updateFailing(app.db, id, failedAt);
  if (failedAt && failedAt.getTime() - since.getTime() >= FAILING_MS_MAX)
    return disableWebhook(app, id, "failing");
  await updateUntried(app.db, id);
}
