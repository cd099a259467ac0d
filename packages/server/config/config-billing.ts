import type { StripeSecrets, StripeSettings } from "../platform/payments/open.ts";
import type { PlanSetting } from "./setting-kinds-billing.ts";
import type { Values } from "./settings.ts";

/** What organizations may subscribe to. */
export interface BillingConfig {
  /** What the operator says of plans, by name. */
  readonly plans: Readonly<Record<string, PlanSetting>>;
  /** For how long a bill that is not paid keeps the plan. */
  readonly graceDays: number;
  /** Undefined: nobody pays through this service. */
  readonly stripe: StripeSettings | undefined;
}

/** Settings that need one another: each fault names the setting and what it expected. */
export function findBillingFaults(values: Values): string[] {
  const { PLANS, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PRICES } = values;
  const needed = { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PRICES };
  const isStripe = Object.values(needed).some((value) => value !== undefined);
  const plans = new Set(["pro", ...Object.keys(PLANS)]);
  plans.delete("free");
  return [
    ...(PLANS["free"]?.fileBytesMax === undefined
      ? []
      : ["PLANS: expected no fileBytesMax for free, whose is FREE_TIER_FILE_BYTES_MAX"]),
    ...Object.entries(needed)
      .filter(([, value]) => isStripe && value === undefined)
      .map(([name]) => `${name}: expected, since the other settings of Stripe are set`),
    ...[...(STRIPE_PRICES ?? new Map<string, string>()).values()]
      .filter((plan) => !plans.has(plan))
      .map((plan) => `STRIPE_PRICES: expected one of ${[...plans].join(", ")}, got ${plan}`),
  ];
}

/** Reads what organizations may subscribe to, from settings without faults. */
export function toBillingConfig(values: Values): BillingConfig {
  const { PLANS, BILLING_GRACE_DAYS, STRIPE_API_URL, STRIPE_PRICES } = values;
  const stripe = STRIPE_PRICES && { url: STRIPE_API_URL, prices: STRIPE_PRICES };
  return { plans: PLANS, graceDays: BILLING_GRACE_DAYS, stripe };
}

/** Reads Stripe's secrets, from settings without faults. */
export function toStripeSecrets(values: Values): { stripe?: StripeSecrets } {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = values;
  return secretKey && webhookSecret ? { stripe: { secretKey, webhookSecret } } : {};
}
