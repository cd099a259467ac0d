import { planSettings } from "./setting-kinds-billing.ts";
import { type Setting, integer, text } from "./setting-kinds.ts";

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
  OPERATOR_TOKEN: {
    kind: text("a token of 16 to 1024 visible characters", 1_024, /^[!-~]{16,}$/),
    defaultShown: "none",
    help: "Bearer token that sets what an organization has subscribed to, where there is no payment provider.",
    secret: true,
  },
} as const satisfies Record<string, Setting>;
