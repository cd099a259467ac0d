import { Type, type Static } from "typebox";
import { subscriptionStatuses } from "../../platform/payments/payments.ts";

const limit = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `${description}; null: no limit.` });

export const PlanOut = Type.Object(
  {
    name: Type.String(),
    title: Type.String(),
    layouts: Type.Array(Type.String(), { description: "Layouts that steps may have." }),
    fileBytesMax: limit("Size of a published file before compression, in bytes"),
    configurationsMax: limit("Configurations of one project"),
    seatsMax: limit("People of one organization and its projects"),
    links: Type.Object({ self: Type.String() }),
  },
  { title: "Plan" },
);
export type PlanOut = Static<typeof PlanOut>;

export const OrganizationParams = Type.Object({ organizationId: Type.String({ maxLength: 64 }) });

const Name = Type.String({ minLength: 1, maxLength: 32 });

export const SubscriptionIn = Type.Object({
  plan: Name,
  status: Type.Optional(Type.Enum([...subscriptionStatuses], { description: "Default: active." })),
  currentPeriodEnd: Type.Optional(
    Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
      description: "The end of what is paid for; null or left out: no end.",
    }),
  ),
});

export const OrganizationBillingOut = Type.Object(
  {
    organizationId: Type.String(),
    plan: Type.String({ description: "The plan that applies now." }),
    status: Type.Enum(["none", ...subscriptionStatuses]),
    currentPeriodEnd: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
      description: "The end of what is paid for; null: no end, or nothing.",
    }),
    links: Type.Object({
      self: Type.String(),
      organization: Type.String(),
      plans: Type.String(),
    }),
  },
  { title: "OrganizationBilling" },
);
export type OrganizationBillingOut = Static<typeof OrganizationBillingOut>;
