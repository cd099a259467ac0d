import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { EventOut } from "../../server/modules/webhooks/feed/schema.ts";
import { toReason } from "../errors.ts";

const TIMEOUT_MS = 15_000;

/** Where events are forwarded to, and what they are signed with. */
export interface Forward {
  url: string;
  /** As `whsec_…`. */
  secret: string;
  signal: AbortSignal;
}

/** What the receiver answered, in words, and whether it took the event. */
export interface Forwarded {
  isTaken: boolean;
  told: string;
}

/** Posts an event as a webhook would, once. */
export async function forwardEvent(
  event: EventOut,
  { url, secret, signal }: Forward,
): Promise<Forwarded> {
  const { id, type, timestamp, data } = event;
  // Of the older name the record itself is the body.
  const body = JSON.stringify(type.startsWith("consent/") ? data : { type, timestamp, data });
  const at = new Date();
  const begun = performance.now();
  const toTold = (what: string) => `${what} in ${Math.round(performance.now() - begun)} ms`;
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
    return { isTaken: answer.ok, told: toTold(String(answer.status)) };
  } catch (error) {
    signal.throwIfAborted();
    // What `fetch` says itself is that it failed.
    const { cause } = error instanceof Error ? error : {};
    return { isTaken: false, told: toTold(toReason(cause ?? error)) };
  }
}
