import { isUtf8 } from "node:buffer";
import type { Stripe } from "stripe";
import { Fault } from "../errors.ts";
import type { ToldEvent } from "./payments.ts";

/** For how long what is signed may be told: longer, and somebody may have kept it. */
const TOLERANCE_SECONDS = 300;
const idPattern = /^\w{1,255}$/;

export interface StripeSignature {
  stripe: Stripe;
  webhookSecret: string;
  isLive: boolean;
  now: () => Date;
}

/**
 * Reads what Stripe tells: signed with the endpoint's secret, within five minutes, of the account and mode that are asked.
 * Of the payload only the id, the type and the customer are looked at.
 * @throws Fault invalid
 */
export async function readStripeEvent(
  { stripe, webhookSecret, isLive, now }: StripeSignature,
  { body, signature }: { body: Buffer; signature: string | undefined },
): Promise<ToldEvent> {
  const event = await readSigned({ stripe, webhookSecret, now }, body, signature);
  if (!isEvent(event)) throw refuse("is none of Stripe's");
  if (event.livemode !== isLive)
    throw refuse(`is of the ${event.livemode ? "live" : "test"} mode, and the key is not`);
  if (event.account !== undefined) throw refuse("is of another account");
  if (!idPattern.test(event.id)) throw refuse("has no id");
  return { id: event.id, type: event.type.slice(0, 255), customer: customerOf(event.data.object) };
}

async function readSigned(
  { stripe, webhookSecret, now }: Omit<StripeSignature, "isLive">,
  body: Buffer,
  signature: string | undefined,
): Promise<unknown> {
  if (body.length === 0 || !isUtf8(body) || signature === undefined)
    throw refuse("is not signed, or empty");
  // The SDK refuses what is old, and takes what is of a time to come.
  const [, seconds] = [...signature.matchAll(/(?:^|,)t=(\d{1,12})(?=,|$)/g)].at(-1) ?? [];
  if (Number(seconds) - now().getTime() / 1_000 > TOLERANCE_SECONDS)
    throw refuse("is signed for a time to come");
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
    throw refuse("is not signed with this endpoint's secret, or too old", error);
  }
}

/** What is signed is the endpoint's, and may be no event of the kind that is read here. */
function isEvent(told: unknown): told is Pick<
  Stripe.Event,
  "id" | "type" | "livemode" | "account"
> & {
  data: { object: unknown };
} {
  if (typeof told !== "object" || told === null) return false;
  const { id, type, livemode, data } = told as Record<string, unknown>;
  const isWhole = typeof id === "string" && typeof type === "string";
  return isWhole && typeof livemode === "boolean" && typeof data === "object" && data !== null;
}

function customerOf(object: unknown): string | undefined {
  if (typeof object !== "object" || object === null) return undefined;
  const { object: kind, id, customer } = object as Record<string, unknown>;
  const found = kind === "customer" ? id : customer;
  return typeof found === "string" && idPattern.test(found) ? found : undefined;
}

function refuse(message: string, cause?: unknown): Fault {
  return new Fault("invalid", `The event ${message}.`, {
    faults: [{ path: "Stripe-Signature", message }],
    ...(cause === undefined ? {} : { cause }),
  });
}
