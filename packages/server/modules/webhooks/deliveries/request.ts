import { randomUUID } from "node:crypto";
import { PostError } from "../../../platform/outbound/post.ts";
import { version } from "../../../platform/version.ts";
import type { Sign } from "../endpoints/signing.ts";
import type { Reservation, WebhooksApp } from "../ports.ts";
import { toRetryAfterMs } from "./retries.ts";

/** One attempt of a delivery, as the log keeps it. */
export interface Attempt {
  at: string;
  durationMs: number;
  requestId: string;
  /** Null without a response. */
  status: number | null;
  /** The reason why there is no response. */
  error: string | null;
  /** The beginning of the response. */
  answer: string;
  answerBytes: number;
  /** The response was longer than what was read. */
  isCut: boolean;
}

/** Bytes of a response that its attempt keeps. */
export const BEGINNING_BYTES = 4_096;

export interface Target {
  url: URL;
  headers: Record<string, string>;
  sign: Sign;
}

export interface AttemptResult {
  attempt: Attempt;
  isSuccess: boolean;
  /** The receiver returned 410: it is gone permanently. */
  isGone: boolean;
  /** The whole response of a failure, if it is longer than its beginning. */
  longAnswer?: string | undefined;
  retryAfterMs?: number | undefined;
  /** The receiver limits all deliveries for this long. */
  limitedMs?: number | undefined;
}

/** Too many requests (RFC 6585 section 4), and service unavailable (RFC 9110 section 15.6.4). */
const limiting: ReadonlySet<number> = new Set([429, 503]);

/** Sends one signed request. It does not throw for what the receiver does. */
export async function sendRequest(
  { poster, now }: Pick<WebhooksApp, "poster" | "now">,
  target: Target,
  {
    id,
    body,
    signal,
    keep,
  }: { id: string; body: Buffer; signal: AbortSignal } & Pick<Reservation, "keep">,
): Promise<AttemptResult> {
  const at = now();
  const requestId = randomUUID();
  const startMs = performance.now();
  const headers = {
    ...target.headers,
    "content-type": "application/json",
    "user-agent": `Avow/${version}`,
    "x-request-id": requestId,
    ...target.sign({ id, at, body }),
  };
  const toAttempt = (rest: Omit<Attempt, "at" | "durationMs" | "requestId">): Attempt => ({
    at: at.toISOString(),
    durationMs: Math.round(performance.now() - startMs),
    requestId,
    ...rest,
  });
  try {
    const post = { headers, body, signal, keep };
    const { status, answer: bytes, isCut, retryAfter } = await poster.post(target.url, post);
    const isSuccess = status >= 200 && status < 300;
    const answer = toText(bytes.subarray(0, BEGINNING_BYTES));
    const retryAfterMs = toRetryAfterMs(retryAfter, at);
    return {
      attempt: toAttempt({ status, error: null, answer, answerBytes: bytes.length, isCut }),
      isSuccess,
      isGone: status === 410,
      longAnswer: bytes.length > BEGINNING_BYTES && !isSuccess ? toText(bytes) : undefined,
      retryAfterMs,
      limitedMs: limiting.has(status) ? retryAfterMs : undefined,
    };
  } catch (error) {
    if (!(error instanceof PostError)) throw error;
    const nothing = { status: null, answer: "", answerBytes: 0, isCut: false };
    const attempt = toAttempt({ ...nothing, error: error.message });
    return { attempt, isSuccess: false, isGone: false };
  }
}

/** Text without a character that was cut in two; PostgreSQL keeps no NUL. */
function toText(answer: Buffer): string {
  return new TextDecoder().decode(answer, { stream: true }).replaceAll("\0", "\uFFFD");
}
