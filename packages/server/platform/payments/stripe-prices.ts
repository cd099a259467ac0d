import type { Stripe } from "stripe";
import { type PlanPrice, PaymentsError } from "./payments.ts";
import { callStripe } from "./stripe-errors.ts";
import type { Prices } from "./stripe-facts.ts";

const intervals = ["day", "week", "month", "year"] as const;
const TTL_MS = 600_000;

/** Lists the first price of each plan, cached for ten minutes. */
export function openPrices(options: {
  stripe: Stripe;
  prices: Prices;
  now: () => Date;
}): () => Promise<readonly PlanPrice[]> {
  const { stripe, prices, now } = options;
  let kept: { at: number; found: readonly PlanPrice[] } | undefined;
  return async () => {
    const at = now().getTime();
    if (kept && at - kept.at < TTL_MS) return kept.found;
    const first = new Map([...prices].toReversed().map(([id, plan]) => [plan, id]));
    const read = [...first].map(([plan, id]) => readPrice(stripe, plan, id));
    const found = (await Promise.all(read)).filter((price) => price !== undefined);
    kept = { at, found };
    return found;
  };
}

/** Undefined for a price that is unknown to Stripe, or is not a fixed amount for each period. */
async function readPrice(stripe: Stripe, plan: string, id: string): Promise<PlanPrice | undefined> {
  try {
    return toPlanPrice(plan, await callStripe("read a price", () => stripe.prices.retrieve(id)));
  } catch (error) {
    // A checkout with this price reports it.
    if (error instanceof PaymentsError && error.isMissing) return undefined;
    throw error;
  }
}

/** Converts a price; undefined unless it is a fixed amount for each period. */
export function toPlanPrice(plan: string, price: Stripe.Price): PlanPrice | undefined {
  const { unit_amount: amount, currency, recurring } = price;
  if (amount === null || recurring === null) return undefined;
  const { interval_count: intervalCount } = recurring;
  const interval = intervals.find((known) => known === recurring.interval);
  if (interval === undefined) return undefined;
  return { plan, amount, currency, interval, intervalCount };
}
