import type { Stripe } from "stripe";
import { type PlanPrice, PaymentsError } from "./payments.ts";
import { asking } from "./stripe-errors.ts";
import type { Prices } from "./stripe-facts.ts";

const intervals = ["day", "week", "month", "year"] as const;
const KEPT_MS = 600_000;

/** What each plan is sold for: its first price, as Stripe had it within the last ten minutes. */
export function openPrices(options: {
  stripe: Stripe;
  prices: Prices;
  now: () => Date;
}): () => Promise<readonly PlanPrice[]> {
  const { stripe, prices, now } = options;
  let kept: { at: number; found: readonly PlanPrice[] } | undefined;
  return async () => {
    const at = now().getTime();
    if (kept && at - kept.at < KEPT_MS) return kept.found;
    const first = new Map([...prices].toReversed().map(([id, plan]) => [plan, id]));
    const read = [...first].map(([plan, id]) => readPrice(stripe, plan, id));
    const found = (await Promise.all(read)).filter((price) => price !== undefined);
    kept = { at, found };
    return found;
  };
}

/** Undefined for a price that Stripe does not know, or that is not one amount for each period. */
async function readPrice(stripe: Stripe, plan: string, id: string): Promise<PlanPrice | undefined> {
  try {
    return toPlanPrice(plan, await asking("read a price", () => stripe.prices.retrieve(id)));
  } catch (error) {
    // A checkout of it says so, to whoever has to set another one.
    if (error instanceof PaymentsError && error.isMissing) return undefined;
    throw error;
  }
}

/** A price of Stripe's as ours; undefined for one that is not one amount for each period. */
export function toPlanPrice(plan: string, price: Stripe.Price): PlanPrice | undefined {
  const { unit_amount: amount, currency, recurring } = price;
  if (amount === null || recurring === null) return undefined;
  const { interval_count: intervalCount } = recurring;
  const interval = intervals.find((known) => known === recurring.interval);
  if (interval === undefined) return undefined;
  return { plan, amount, currency, interval, intervalCount };
}
