import { Type, type Static } from "typebox";
import { InstantIn } from "@avow/contract/instants";
import { subscriptionStatuses } from "../../platform/payments/payments.ts";

const limit = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `${description}; null: no limit.` });

export const PlanOut = Type.Object(
  {
    name: Type.String(),
    title: Type.String(),
    layouts: Type.Array(Type.String(), { description: "Layouts allowed for steps." }),
    fileBytesMax: limit("Size of a published file before compression, in bytes"),
    configurationsMax: limit("Configurations of one project"),
    seatsMax: limit("Users of one organization and its projects"),
    canBuy: Type.Boolean({ description: "Whether the plan can be bought here." }),
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
    Type.Union([InstantIn, Type.Null()], {
      description: "The end of the paid period; null or omitted: no end.",
    }),
  ),
});

const Address = Type.Optional(
  Type.String({ minLength: 1, maxLength: 2_048, description: "Default: the service itself." }),
);
const OrganizationId = Type.String({ minLength: 1, maxLength: 64 });

export const CheckoutIn = Type.Object({
  organizationId: OrganizationId,
  plan: Name,
  successUrl: Address,
  cancelUrl: Address,
});
export const PortalIn = Type.Object({ organizationId: OrganizationId, returnUrl: Address });

export const OpenedPageOut = Type.Object({
  url: Type.String({ description: "The address to redirect the user to." }),
});
export type OpenedPageOut = Static<typeof OpenedPageOut>;

const DateTime = Type.String({ format: "date-time" });
const DateOrNull = (description: string) => Type.Union([DateTime, Type.Null()], { description });
const Amount = (description: string) =>
  Type.Integer({ description: `${description}, in the currency's smallest unit.` });

export const InvoiceOut = Type.Object(
  {
    _id: Type.String(),
    id: Type.String(),
    number: Type.Union([Type.String(), Type.Null()]),
    status: Type.Enum(["open", "paid", "uncollectible", "void"]),
    total: Amount("With taxes"),
    amountPaid: Amount("Paid"),
    amountDue: Amount("To be paid"),
    credited: Amount("Refunded by credit notes"),
    currency: Type.String({ description: "ISO 4217, in lower case." }),
    createdAt: DateTime,
    dueAt: DateOrNull("Due date; null: at once."),
    paidAt: DateOrNull("Date of the payment."),
    links: Type.Object(
      { page: Type.Optional(Type.String()), pdf: Type.Optional(Type.String()) },
      { description: "The provider's page of the invoice, where it can be paid, and its PDF." },
    ),
  },
  { title: "Invoice" },
);
export type InvoiceOut = Static<typeof InvoiceOut>;

export const OrganizationBillingOut = Type.Object(
  {
    organizationId: Type.String(),
    plan: Type.String({ description: "The plan that applies now." }),
    status: Type.Enum(["none", ...subscriptionStatuses]),
    currentPeriodEnd: DateOrNull("The end of the paid period; null: no end, or no subscription."),
    unpaidSince: DateOrNull("Date of the unpaid invoice."),
    cancelsAt: DateOrNull("Date of the cancellation that an owner requested."),
    paymentSource: Type.Optional(
      Type.Object({
        type: Type.String({ description: "Such as card or sepa_debit." }),
        brand: Type.Optional(Type.String()),
        last4: Type.Optional(Type.String()),
        expiryMonth: Type.Optional(Type.Integer()),
        expiryYear: Type.Optional(Type.Integer()),
      }),
    ),
    taxIds: Type.Array(
      Type.Object({
        type: Type.String({ description: "Such as eu_vat." }),
        value: Type.String(),
      }),
    ),
    invoices: Type.Array(InvoiceOut, { description: "The newest ten." }),
    usage: Type.Object(
      {
        seats: Type.Integer({ description: "Users of the organization and its projects." }),
        projects: Type.Integer(),
        configurations: Type.Integer({ description: "Count of the project with the most." }),
      },
      { description: "Usage against the plan's limits." },
    ),
    prices: Type.Array(
      Type.Object({
        plan: Type.String(),
        amount: Amount("Without added taxes"),
        currency: Type.String({ description: "ISO 4217, in lower case." }),
        interval: Type.Enum(["day", "week", "month", "year"]),
        intervalCount: Type.Integer({ description: "Number of intervals between payments." }),
      }),
      { description: "The prices of plans with a fixed amount for each period." },
    ),
    links: Type.Object({
      self: Type.String(),
      organization: Type.String(),
      plans: Type.String(),
      invoices: Type.String(),
      checkout: Type.Optional(
        Type.String({
          description:
            "Buys a plan. Missing while there is a subscription, or a purchase that waits for its first payment.",
        }),
      ),
      bill: Type.Optional(
        Type.String({
          description: "The provider's page of the first invoice, while it waits for payment.",
        }),
      ),
      portal: Type.Optional(
        Type.String({
          description: "Manages the subscription. Missing before the first purchase.",
        }),
      ),
    }),
  },
  { title: "OrganizationBilling" },
);
export type OrganizationBillingOut = Static<typeof OrganizationBillingOut>;
