import { randomUUID } from "node:crypto";
import { PostError, type Posted } from "../../platform/outbound/post.ts";
import { version } from "../../platform/version.ts";
import type { WebhooksApp } from "./app.ts";
import { type Attempt, BEGINNING_BYTES, toAnswered, toText } from "./attempts.ts";
import type { HeldBody, Payload } from "./held-bodies.ts";
import { toRetryAfterMs } from "./retries.ts";
import type { Sign } from "./signing.ts";

/** Where a webhook's deliveries go, with what is sent along. */
export interface Target {
  url: URL;
  headers: Record<string, string>;
  sign: Sign;
}

/** What became of one request. */
export interface Delivered {
  attempt: Attempt;
  /** What was answered, whole as far as it was read, where it failed and is longer than the attempt's beginning. */
  longAnswer: string | undefined;
  isSuccess: boolean;
  /** It answered 410: nobody is there any more, for good. */
  isGone: boolean;
  retryAfterMs: number | undefined;
  /** It is not that it fails: it asked to be left alone for so long, all of it. */
  laterMs: number | undefined;
}

/** Too many requests (RFC 6585 section 4), and out of service for a time (RFC 9110 section 15.6.4). */
const LATER: ReadonlySet<number> = new Set([429, 503]);

/** Sends one request, signed for now. It never throws for what the receiver did. */
export async function deliver(
  { poster, now }: Pick<WebhooksApp, "poster" | "now">,
  target: Target,
  {
    payload: { id, bytes },
    signal,
    keep,
  }: { payload: Payload; signal: AbortSignal } & Pick<HeldBody, "keep">,
): Promise<Delivered> {
  const at = now();
  const requestId = randomUUID();
  const begun = performance.now();
  const headers = {
    ...target.headers,
    "content-type": "application/json",
    "user-agent": `Avow/${version}`,
    "x-request-id": requestId,
    ...target.sign({ id, at, body: bytes }),
  };
  const toAttempt = (posted: Posted | undefined, error: string | null): Attempt => ({
    at: at.toISOString(),
    durationMs: Math.round(performance.now() - begun),
    requestId,
    status: posted?.status ?? null,
    error,
    ...toAnswered(posted),
  });
  try {
    const posted = await poster.post(target.url, { headers, body: bytes, signal, keep });
    const { status } = posted;
    const isSuccess = status >= 200 && status < 300;
    const isLong = posted.answer.length > BEGINNING_BYTES;
    const retryAfterMs = toRetryAfterMs(posted.retryAfter, at);
    return {
      attempt: toAttempt(posted, null),
      longAnswer: isLong && !isSuccess ? toText(posted.answer) : undefined,
      isSuccess,
      isGone: status === 410,
      retryAfterMs,
      laterMs: LATER.has(status) ? retryAfterMs : undefined,
    };
  } catch (error) {
    if (!(error instanceof PostError)) throw error;
    const attempt = toAttempt(undefined, error.message);
    const unanswered = { longAnswer: undefined, retryAfterMs: undefined, laterMs: undefined };
    return { attempt, isSuccess: false, isGone: false, ...unanswered };
  }
}
