import { Stripe } from "stripe";

/** An endpoint that the account tells its events to. */
export interface Endpoint {
  url: string;
  secret: string;
  now: () => Date;
}

/** What may be different of how an event is told. */
export interface Telling {
  /** How long ago it was signed. */
  ageSeconds?: number;
  secret?: string;
  /** Sent in place of what was signed. */
  body?: string;
  signature?: string;
}

/** Tells an endpoint an event, signed as Stripe does; answers the status. */
export async function tell(
  endpoint: Endpoint,
  event: object,
  telling: Telling = {},
): Promise<number> {
  const payload = JSON.stringify(event);
  const { ageSeconds = 0, secret = endpoint.secret, body = payload } = telling;
  const timestamp = Math.floor(endpoint.now().getTime() / 1_000) - ageSeconds;
  const signed = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  const answer = await fetch(endpoint.url, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "stripe-signature": telling.signature ?? signed,
    },
    signal: AbortSignal.timeout(30_000),
  });
  await answer.body?.cancel();
  return answer.status;
}
