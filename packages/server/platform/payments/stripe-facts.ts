import type { Stripe } from "stripe";
import type {
  Invoice,
  PaymentSource,
  OpenSubscription,
  Subscription,
  SubscriptionStatus,
  Unfinished,
} from "./payments.ts";

/** The plan of each price. */
export type Prices = ReadonlyMap<string, string>;

/**
 * Maps Stripe's states. A subscription whose first invoice was never paid has no state (`incomplete`), and one whose
 * trial ended without a payment method counts as unpaid (`paused`).
 */
const statuses: Readonly<Record<string, SubscriptionStatus>> = {
  active: "active",
  trialing: "trialing",
  past_due: "past_due",
  unpaid: "unpaid",
  paused: "unpaid",
  canceled: "canceled",
};
/** The states by rank, the best first. */
const ranks: readonly SubscriptionStatus[] = [
  "active",
  "trialing",
  "past_due",
  "unpaid",
  "canceled",
];

/** Prices with their plans, and the order of plans. */
export interface Offer {
  prices: Prices;
  /** All plans by name, the highest last. */
  plans: readonly string[];
}

/**
 * Selects the effective subscription of a customer. Subscriptions with a plan's price precede others (such as a support
 * contract); then the order is by state, plan and creation, the newest first.
 */
export function pickSubscription(
  found: readonly Stripe.Subscription[],
  offer: Offer,
): Stripe.Subscription | undefined {
  return toSortedByWeight(
    found.filter((one) => rankOf(one) >= 0),
    offer,
  )[0];
}

function toSortedByWeight(
  found: readonly Stripe.Subscription[],
  offer: Offer,
): Stripe.Subscription[] {
  const plan = (one: Stripe.Subscription) => planRankOf(one, offer);
  return found.toSorted(
    (a, b) =>
      Number(plan(b) >= 0) - Number(plan(a) >= 0) ||
      rankOf(a) - rankOf(b) ||
      plan(b) - plan(a) ||
      b.created - a.created,
  );
}

/** Filters a customer's subscriptions that have not ended, or wait for their first payment. */
export function toOpenSubscriptions(
  found: readonly Stripe.Subscription[],
  { offer, organizationId, now }: { offer: Offer; organizationId: string; now: Date },
): OpenSubscription[] {
  const { prices } = offer;
  return toSortedByWeight(found, offer).flatMap((one) => {
    const status = one.status === "incomplete" ? ("incomplete" as const) : statuses[one.status];
    if (status === undefined || status === "canceled") return [];
    const { plan, cancelsAt } = toSubscription(one, { prices, now });
    const invoice = typeof one.latest_invoice === "object" ? one.latest_invoice : null;
    const url = status === "incomplete" ? (invoice?.hosted_invoice_url ?? null) : null;
    // A price may have been removed from the settings; subscriptions of a checkout have metadata.
    const isBoughtHere =
      planRankOf(one, offer) >= 0 || one.metadata["organizationId"] === organizationId;
    return [{ id: one.id, plan, status, url, cancelsAt, isBoughtHere }];
  });
}

/** Higher for a higher plan; -1 without a plan. */
function planRankOf({ items }: Stripe.Subscription, { prices, plans }: Offer): number {
  return plans.indexOf(prices.get(itemOf(items.data, prices)?.price.id ?? "") ?? "");
}

/** The first item with a plan's price. */
function itemOf(
  items: readonly Stripe.SubscriptionItem[],
  prices: Prices,
): Stripe.SubscriptionItem | undefined {
  return items.find(({ price }) => prices.has(price.id)) ?? items[0];
}

/** Lower for a better state; -1 for an unknown one. */
function rankOf({ status }: Stripe.Subscription): number {
  const ours = statuses[status];
  return ours === undefined ? -1 : ranks.indexOf(ours);
}

/** Converts a subscription, whose latest invoice must be expanded. Its plan is that of the first known price. */
export function toSubscription(
  given: Stripe.Subscription,
  { prices, now }: { prices: Prices; now: Date },
): Subscription {
  const item = itemOf(given.items.data, prices);
  const price = item?.price.id ?? "";
  const end = item?.current_period_end;
  const cancelled = given.cancel_at_period_end ? end : undefined;
  return {
    // Without a plan the price id, so that the operator sees which price is missing in the settings.
    plan: prices.get(price) ?? price,
    status: statuses[given.status] ?? "canceled",
    currentPeriodEnd: toDate(end),
    unpaidSince: toUnpaidSince(given, item?.current_period_start),
    cancelsAt: toDate(given.cancel_at ?? cancelled),
    customer: idOf(given.customer),
    updatedAt: now,
  };
}

/** From the date when the unpaid invoice was sent, which is after the start of its period. */
function toUnpaidSince(
  { status, latest_invoice: invoice }: Stripe.Subscription,
  periodStart: number | undefined,
): Date | null {
  if (status !== "past_due" && status !== "unpaid") return null;
  if (typeof invoice !== "object" || !invoice) return toDate(periodStart);
  return toDate(invoice.status_transitions.finalized_at ?? invoice.created);
}

/** The payment method without personal data. */
export function toPaymentSource(
  method: string | Stripe.PaymentMethod | null | undefined,
): PaymentSource | undefined {
  if (typeof method !== "object" || !method) return undefined;
  const { type, card, sepa_debit: debit } = method;
  if (card)
    return {
      type,
      brand: card.brand,
      last4: card.last4,
      expiryMonth: card.exp_month,
      expiryYear: card.exp_year,
    };
  return { type, ...(debit?.last4 ? { last4: debit.last4 } : {}) };
}

const invoiceStatuses = ["open", "paid", "uncollectible", "void"] as const;

/** Converts an invoice; undefined for a draft, which may change or be deleted. */
export function toInvoice(given: Stripe.Invoice): Invoice | undefined {
  const status = invoiceStatuses.find((known) => known === given.status);
  if (status === undefined) return undefined;
  return {
    id: given.id,
    number: given.number,
    status,
    total: given.total,
    amountPaid: given.amount_paid,
    amountDue: given.amount_due,
    credited: given.pre_payment_credit_notes_amount + given.post_payment_credit_notes_amount,
    currency: given.currency,
    createdAt: new Date(given.created * 1_000),
    dueAt: toDate(given.due_date),
    paidAt: toDate(given.status_transitions.paid_at),
    url: given.hosted_invoice_url ?? null,
    pdf: given.invoice_pdf ?? null,
  };
}

function idOf(reference: string | { id: string }): string {
  return typeof reference === "string" ? reference : reference.id;
}

function toDate(seconds: number | null | undefined): Date | null {
  return seconds === null || seconds === undefined ? null : new Date(seconds * 1_000);
}

/**
 * The newest purchase that waits for its first payment (`incomplete`, for 23 hours), with the page of its invoice, so
 * that it is not bought and paid twice.
 */
export function toUnfinished(
  found: readonly Stripe.Subscription[],
  prices: Prices,
): Unfinished | undefined {
  const waiting = found
    .filter(({ status }) => status === "incomplete")
    .toSorted((a, b) => b.created - a.created);
  for (const { items, latest_invoice: invoice } of waiting) {
    const plan = prices.get(itemOf(items.data, prices)?.price.id ?? "");
    if (plan === undefined) continue;
    const isExpanded = typeof invoice === "object" && invoice !== null;
    return { plan, url: isExpanded ? (invoice.hosted_invoice_url ?? null) : null };
  }
  return undefined;
}
