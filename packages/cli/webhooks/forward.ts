import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { Event as WebhookEvent } from "@avow/client/operations";
import { toReason } from "../terminal/errors.ts";

const TIMEOUT_MS = 15_000;

/** The destination of events, and the secret that signs them. */
export interface Forward {
  url: string;
  /** In the form `whsec_…`. */
  secret: string;
  signal: AbortSignal;
}

/** The receiver's response. */
export interface ForwardResult {
  isAccepted: boolean;
  outcome: string;
}

/** Posts an event as a webhook would, once. */
export async function forwardEvent(
  event: WebhookEvent,
  { url, secret, signal }: Forward,
): Promise<ForwardResult> {
  const { id, type, timestamp, data } = event;
  // For the older event names the body is the record itself.
  const body = JSON.stringify(type.startsWith("consent/") ? data : { type, timestamp, data });
  const at = new Date();
  const begun = performance.now();
  const toOutcome = (what: string) => `${what} in ${Math.round(performance.now() - begun)} ms`;
  try {
    const answer = await fetch(url, {
      method: "POST",
      body,
      redirect: "manual",
      headers: {
        "content-type": "application/json",
        "x-request-id": randomUUID(),
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
        "webhook-signature": new Webhook(secret).sign(id, at, body),
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await answer.body?.cancel();
    return { isAccepted: answer.ok, outcome: toOutcome(String(answer.status)) };
  } catch (error) {
    signal.throwIfAborted();
    // The message of `fetch` itself is only that it failed.
    const { cause } = error instanceof Error ? error : {};
    return { isAccepted: false, outcome: toOutcome(toReason(cause ?? error)) };
  }
}
