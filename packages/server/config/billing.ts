import type { StripeSecrets, StripeSettings } from "../platform/payments/open.ts";
import { layouts } from "@avow/contract/configuration";
import { isObject } from "@avow/contract/json";
import { convert, integer, list, record, text, visible, webUrl } from "./kinds.ts";
import { type ValuesOf, setting } from "./schema.ts";

const PLANS_MAX = 20;
const PRICES_MAX = 100;
const LIMIT_MAX = 1024 ** 3;
const layoutNames = new Set<unknown>(layouts);
const namePattern = /^[a-z][a-z0-9_-]{0,31}$/;

const isLimit = (value: unknown): value is number | null =>
  value === null || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= LIMIT_MAX);

const planFields = {
  title: (value: unknown): value is string =>
    typeof value === "string" && /^[^\p{Cc}]{1,64}$/u.test(value),
  layouts: (value: unknown): value is readonly string[] =>
    Array.isArray(value) && value.every((name) => layoutNames.has(name)),
  fileBytesMax: isLimit,
  configurationsMax: isLimit,
  seatsMax: isLimit,
};

type Accepted<G> = G extends ((value: unknown) => value is infer V) ? V : never;

/** Changes of an operator to a plan; null removes a limit. */
type PlanSetting = {
  readonly [F in keyof typeof planFields]?: Accepted<(typeof planFields)[F]>;
};

function isPlanSetting(plan: unknown): plan is PlanSetting {
  if (!isObject(plan)) return false;
  return Object.entries(plan).every(
    ([name, value]) =>
      Object.hasOwn(planFields, name) && planFields[name as keyof PlanSetting](value),
  );
}

const plans = record(
  'a JSON object such as {"pro": {"seatsMax": 10, "configurationsMax": 50}, "business": {"title": "Business"}}',
  PLANS_MAX,
  (name, plan) => (namePattern.test(name) && isPlanSetting(plan) ? plan : undefined),
);

const pricePairs = list<[price: string, plan: string]>(
  {
    expected: "plans with their prices such as pro=price_1ABC,business=price_2DEF",
    parse: (value) => {
      const [plan = "", price = "", ...more] = value.split("=");
      const isPair = namePattern.test(plan) && /^price_\w{1,128}$/.test(price);
      return isPair && more.length === 0 ? [price, plan] : undefined;
    },
  },
  { countMax: PRICES_MAX, allowsBlanks: false },
);

/** `plan=price` pairs, read as the plan of each price, in their order. */
const prices = convert(pricePairs, (pairs): ReadonlyMap<string, string> | undefined => {
  const planOf = new Map(pairs);
  return planOf.size === pairs.length ? planOf : undefined;
});

const stripeKey = text("a secret or restricted key of Stripe", 256, /^(sk|rk)_(test|live)_\w{4,}$/);
const stripeSigningSecret = text("a signing secret of Stripe", 256, /^whsec_[\w+/=]{8,}$/);

/** Plans and payments. */
export const billing = {
  PLANS: setting(plans, {
    path: "billing.plans",
    default: "{}",
    defaultShown: "free and pro",
    description:
      "Titles and limits of plans by name: title, layouts, fileBytesMax, configurationsMax, seatsMax (docs/guides/plans-and-payments.md).",
  }),
  BILLING_GRACE_DAYS: setting(integer(0, 365, "days"), {
    path: "billing.graceDays",
    default: "14",
    description: "Grace period in which a past-due subscription keeps its plan.",
  }),
  STRIPE_SECRET_KEY: setting(stripeKey, {
    requiredWith: ["STRIPE_WEBHOOK_SECRET", "STRIPE_PRICES"],
    description:
      "API key of the Stripe account that organizations pay through; without it, the operator sets plans (docs/guides/plans-and-payments.md).",
    secret: true,
  }),
  STRIPE_WEBHOOK_SECRET: setting(stripeSigningSecret, {
    requiredWith: ["STRIPE_SECRET_KEY", "STRIPE_PRICES"],
    description: "Signing secret of the Stripe webhook endpoint PUBLIC_URL/v1/billing/webhook.",
    secret: true,
  }),
  STRIPE_PRICES: setting(prices, {
    requiredWith: ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"],
    description: "Stripe price IDs of the plans; the first price of a plan is the one sold.",
  }),
  STRIPE_API_URL: setting(webUrl, {
    default: "https://api.stripe.com",
    description: "Base URL of the Stripe API, for stand-ins in tests.",
  }),
  OPERATOR_TOKEN: setting(visible("a token", 16), {
    path: "operatorToken",
    description:
      "Bearer token of the operator's requests, which set plans without a payment provider and remove second factors.",
    secret: true,
  }),
};

type Values = ValuesOf<typeof billing>;

/** Errors of plans that the service does not have or sell. */
export function findBillingErrors({ PLANS, STRIPE_PRICES }: Values): string[] {
  const sold = new Set(["pro", ...Object.keys(PLANS)]);
  sold.delete("free");
  return [
    ...(PLANS["free"]?.fileBytesMax === undefined
      ? []
      : ["PLANS: expected no fileBytesMax for free; set FREE_TIER_FILE_BYTES_MAX instead"]),
    ...[...(STRIPE_PRICES?.values() ?? [])]
      .filter((plan) => !sold.has(plan))
      .map((plan) => `STRIPE_PRICES: expected one of ${[...sold].join(", ")}, got ${plan}`),
  ];
}

export function toStripeSettings(values: Values): StripeSettings | undefined {
  const { STRIPE_API_URL: url, STRIPE_PRICES } = values;
  return STRIPE_PRICES && { url, prices: STRIPE_PRICES };
}

export function toStripeSecrets(values: Values): StripeSecrets | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = values;
  return secretKey && webhookSecret ? { secretKey, webhookSecret } : undefined;
}
