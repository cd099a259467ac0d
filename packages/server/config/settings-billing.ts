import { planSettings, prices } from "./setting-kinds-billing.ts";
import { type Setting, integer, text, webAddress } from "./setting-kinds.ts";

/** The settings of plans and payments, a part of `settings`. */
export const billingSettings = {
  PLANS: {
    kind: planSettings,
    default: "{}",
    defaultShown: "free and pro",
    help: "What plans allow, as JSON by their names (docs/billing.md): title, layouts, fileBytesMax, configurationsMax, seatsMax.",
  },
  BILLING_GRACE_DAYS: {
    kind: integer(0, 365),
    default: "14",
    help: "Days for which a subscription that is past due keeps its plan.",
  },
  STRIPE_SECRET_KEY: {
    kind: text("a secret or restricted key of Stripe", 256, /^(sk|rk)_(test|live)_\w{4,}$/),
    defaultShown: "none",
    help: "Key of the Stripe account through which organizations pay (docs/billing.md); without one the operator sets plans.",
    secret: true,
  },
  STRIPE_WEBHOOK_SECRET: {
    kind: text("a signing secret of Stripe", 256, /^whsec_[\w+/=]{8,}$/),
    defaultShown: "none",
    help: "Signing secret of the account's webhook endpoint, PUBLIC_URL/v1/billing/webhook.",
    secret: true,
  },
  STRIPE_PRICES: {
    kind: prices,
    defaultShown: "none",
    help: "Price ids of the plans, separated by commas; of a plan with several the first is bought: pro=price_1,pro=price_2.",
  },
  STRIPE_API_URL: {
    kind: webAddress,
    default: "https://api.stripe.com",
    help: "Address of Stripe's interface, for stand-ins in tests.",
  },
  OPERATOR_TOKEN: {
    kind: text("a token of 16 to 1024 visible characters", 1_024, /^[!-~]{16,}$/),
    defaultShown: "none",
    help: "Bearer token that sets what an organization has subscribed to, where there is no payment provider.",
    secret: true,
  },
} as const satisfies Record<string, Setting>;
