import { Stripe } from "stripe";

/** An endpoint that receives the account's events. */
export interface Endpoint {
  url: string;
  secret: string;
  now: () => Date;
}

/** Deviations from a valid delivery. */
export interface EventOverrides {
  /** Age of the signature. */
  ageSeconds?: number;
  secret?: string;
  /** Sent instead of the signed body. */
  body?: string;
  signature?: string;
}

/** Sends an event to an endpoint, signed as Stripe does, and returns the status. */
export async function sendEvent(
  endpoint: Endpoint,
  event: object,
  overrides: EventOverrides = {},
): Promise<number> {
  const payload = JSON.stringify(event);
  const { ageSeconds = 0, secret = endpoint.secret, body = payload } = overrides;
  const timestamp = Math.floor(endpoint.now().getTime() / 1_000) - ageSeconds;
  const signed = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  const answer = await fetch(endpoint.url, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "stripe-signature": overrides.signature ?? signed,
    },
    signal: AbortSignal.timeout(30_000),
  });
  await answer.body?.cancel();
  return answer.status;
}
