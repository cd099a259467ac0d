import { isUtf8 } from "node:buffer";
import type { Stripe } from "stripe";
import { Fault } from "../errors.ts";
import type { PaymentEvent } from "./payments.ts";

/** Maximum age of a signature, against replays. */
const TOLERANCE_SECONDS = 300;
const idPattern = /^\w{1,255}$/;

export interface StripeSignature {
  stripe: Stripe;
  webhookSecret: string;
  isLive: boolean;
  now: () => Date;
}

/**
 * Verifies and parses an event of Stripe: signed with the endpoint's secret within five minutes, of this account and
 * mode. Only the id, the type and the customer are used.
 * @throws Fault invalid
 */
export async function readStripeEvent(
  { stripe, webhookSecret, isLive, now }: StripeSignature,
  { body, signature }: { body: Buffer; signature: string | undefined },
): Promise<PaymentEvent> {
  const event = await readSigned({ stripe, webhookSecret, now }, body, signature);
  if (!isEvent(event)) throw toInvalid("is not from Stripe");
  if (event.livemode !== isLive)
    throw toInvalid(`is of the ${event.livemode ? "live" : "test"} mode, unlike the key`);
  if (event.account !== undefined) throw toInvalid("is of another account");
  if (!idPattern.test(event.id)) throw toInvalid("has no id");
  return { id: event.id, type: event.type.slice(0, 255), customer: customerOf(event.data.object) };
}

async function readSigned(
  { stripe, webhookSecret, now }: Omit<StripeSignature, "isLive">,
  body: Buffer,
  signature: string | undefined,
): Promise<unknown> {
  if (body.length === 0 || !isUtf8(body) || signature === undefined)
    throw toInvalid("is unsigned or empty");
  // The SDK rejects old signatures but accepts future ones.
  const [, seconds] = [...signature.matchAll(/(?:^|,)t=(\d{1,12})(?=,|$)/g)].at(-1) ?? [];
  if (Number(seconds) - now().getTime() / 1_000 > TOLERANCE_SECONDS)
    throw toInvalid("has a signature from the future");
  try {
    return await stripe.webhooks.constructEventAsync(
      body,
      signature,
      webhookSecret,
      TOLERANCE_SECONDS,
      undefined,
      now().getTime(),
    );
  } catch (error) {
    throw toInvalid("is not signed with this endpoint's secret, or is too old", error);
  }
}

/** A signed payload may still have another form. */
function isEvent(payload: unknown): payload is Pick<
  Stripe.Event,
  "id" | "type" | "livemode" | "account"
> & {
  data: { object: unknown };
} {
  if (typeof payload !== "object" || payload === null) return false;
  const { id, type, livemode, data } = payload as Record<string, unknown>;
  const hasStrings = typeof id === "string" && typeof type === "string";
  return hasStrings && typeof livemode === "boolean" && typeof data === "object" && data !== null;
}

function customerOf(object: unknown): string | undefined {
  if (typeof object !== "object" || object === null) return undefined;
  const { object: kind, id, customer } = object as Record<string, unknown>;
  const found = kind === "customer" ? id : customer;
  return typeof found === "string" && idPattern.test(found) ? found : undefined;
}

function toInvalid(message: string, cause?: unknown): Fault {
  return new Fault("invalid", `The event ${message}.`, {
    faults: [{ path: "Stripe-Signature", message }],
    ...(cause === undefined ? {} : { cause }),
  });
}
