import { randomUUID } from "node:crypto";
import { PostError, type Posted } from "../../platform/outbound/post.ts";
import { version } from "../../version.ts";
import type { WebhooksApp } from "./app.ts";
import type { Body } from "./bodies.ts";
import type { Attempt } from "./deliveries-store.ts";
import { toRetryAfterMs } from "./retries.ts";
import { type Secrets, toSignedHeaders } from "./signing.ts";

/** Where a webhook's deliveries go, with what is sent along. */
export interface Target {
  url: URL;
  headers: Record<string, string>;
  secrets: Secrets;
}

/** What became of one request. */
export interface Delivered {
  attempt: Attempt;
  isSuccess: boolean;
  /** It answered 410: nobody is there any more, for good. */
  isGone: boolean;
  retryAfterMs: number | undefined;
}

/** Of what was answered so much is kept. */
const ANSWER_KEPT_BYTES = 4_096;

/** Sends one request, signed for now. It never throws for what the receiver did. */
export async function deliver(
  { poster, now }: Pick<WebhooksApp, "poster" | "now">,
  target: Target,
  { body, signal }: { body: Body; signal: AbortSignal },
): Promise<Delivered> {
  const at = now();
  const requestId = randomUUID();
  const begun = performance.now();
  const headers = {
    ...target.headers,
    "content-type": "application/json",
    "user-agent": `Avow/${version}`,
    "x-request-id": requestId,
    ...toSignedHeaders(target.secrets, { id: body.id, at, body: body.text }),
  };
  const toAttempt = (posted: Posted | undefined, error: string | null): Attempt => ({
    at: at.toISOString(),
    durationMs: Math.round(performance.now() - begun),
    requestId,
    status: posted?.status ?? null,
    error,
    answer: posted ? toText(posted.answer) : "",
  });
  try {
    const posted = await poster.post(target.url, { headers, body: body.text, signal });
    const { status } = posted;
    return {
      attempt: toAttempt(posted, null),
      isSuccess: status >= 200 && status < 300,
      isGone: status === 410,
      retryAfterMs: toRetryAfterMs(posted.retryAfter, at),
    };
  } catch (error) {
    if (!(error instanceof PostError)) throw error;
    const attempt = toAttempt(undefined, error.message);
    return { attempt, isSuccess: false, isGone: false, retryAfterMs: undefined };
  }
}

/** As text, whatever it is; PostgreSQL keeps no NUL. */
function toText(answer: Buffer): string {
  return answer.subarray(0, ANSWER_KEPT_BYTES).toString("utf8").replaceAll("\0", "\uFFFD");
}
