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
    canBuy: Type.Boolean({ description: "Whether a checkout sells it here." }),
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
  url: Type.String({ description: "Where to send the person who asked." }),
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
    credited: Amount("Given back by credit notes"),
    currency: Type.String({ description: "ISO 4217, in lower case." }),
    createdAt: DateTime,
    dueAt: DateOrNull("When it is to be paid; null: at once."),
    paidAt: DateOrNull("When it was paid."),
    links: Type.Object(
      { page: Type.Optional(Type.String()), pdf: Type.Optional(Type.String()) },
      { description: "The provider's page of it, where it can be paid, and its file." },
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
    currentPeriodEnd: DateOrNull("The end of what is paid for; null: no end, or nothing."),
    unpaidSince: DateOrNull("Since when a bill is not paid."),
    cancelsAt: DateOrNull("When the subscription ends by an owner's wish."),
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
        seats: Type.Integer({ description: "People of the organization and its projects." }),
        projects: Type.Integer(),
        configurations: Type.Integer({ description: "Of the project that has the most." }),
      },
      { description: "What of the plan's limits is used." },
    ),
    prices: Type.Array(
      Type.Object({
        plan: Type.String(),
        amount: Amount("Without taxes that are added"),
        currency: Type.String({ description: "ISO 4217, in lower case." }),
        interval: Type.Enum(["day", "week", "month", "year"]),
        intervalCount: Type.Integer({ description: "Paid each so many intervals." }),
      }),
      { description: "What plans are sold for, where that is one amount for each period." },
    ),
    links: Type.Object({
      self: Type.String(),
      organization: Type.String(),
      plans: Type.String(),
      invoices: Type.String(),
      checkout: Type.Optional(
        Type.String({
          description:
            "Where a plan is bought, while there is none that goes on, and none whose first bill waits.",
        }),
      ),
      bill: Type.Optional(
        Type.String({
          description: "The provider's page of the first bill, where it waits to be paid.",
        }),
      ),
      portal: Type.Optional(
        Type.String({ description: "Where what was bought is changed, once there is something." }),
      ),
    }),
  },
  { title: "OrganizationBilling" },
);
export type OrganizationBillingOut = Static<typeof OrganizationBillingOut>;
