import type { Stripe } from "stripe";
import type {
  Invoice,
  PaymentSource,
  Standing,
  Subscription,
  SubscriptionStatus,
  Unfinished,
} from "./payments.ts";

/** The plan of each price. */
export type Prices = ReadonlyMap<string, string>;

/**
 * Stripe's states as ours. A subscription whose first bill was never paid is none (`incomplete`), and one whose trial
 * ended without a way to pay has nothing (`paused`).
 */
const statuses: Readonly<Record<string, SubscriptionStatus>> = {
  active: "active",
  trialing: "trialing",
  past_due: "past_due",
  unpaid: "unpaid",
  paused: "unpaid",
  canceled: "canceled",
};
/** The states, that first which gives most. */
const ranks: readonly SubscriptionStatus[] = [
  "active",
  "trialing",
  "past_due",
  "unpaid",
  "canceled",
];

/** What prices are sold as, and which plan gives more. */
export interface Offer {
  prices: Prices;
  /** All plans by name, that last which gives most. */
  plans: readonly string[];
}

/**
 * The subscription that counts among those of a customer; undefined where none does. What has no plan's price (a
 * contract of support, say) comes after what has one; then what its state gives counts, its plan, and how new it is.
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

/** What of a customer's subscriptions has not ended, or waits for its first bill. */
export function toStanding(
  found: readonly Stripe.Subscription[],
  { offer, organizationId, now }: { offer: Offer; organizationId: string; now: Date },
): Standing[] {
  const { prices } = offer;
  return toSortedByWeight(found, offer).flatMap((one) => {
    const status = one.status === "incomplete" ? ("incomplete" as const) : statuses[one.status];
    if (status === undefined || status === "canceled") return [];
    const { plan, cancelsAt } = toSubscription(one, { prices, now });
    const invoice = typeof one.latest_invoice === "object" ? one.latest_invoice : null;
    const url = status === "incomplete" ? (invoice?.hosted_invoice_url ?? null) : null;
    // A price may have left the settings since; what a checkout made says so itself.
    const isBoughtHere =
      planRankOf(one, offer) >= 0 || one.metadata["organizationId"] === organizationId;
    return [{ id: one.id, plan, status, url, cancelsAt, isBoughtHere }];
  });
}

/** The more, the more its plan gives; -1 where no plan has its price. */
function planRankOf({ items }: Stripe.Subscription, { prices, plans }: Offer): number {
  return plans.indexOf(prices.get(itemOf(items.data, prices)?.price.id ?? "") ?? "");
}

/** What of a subscription says its plan: the first that has the price of one. */
function itemOf(
  items: readonly Stripe.SubscriptionItem[],
  prices: Prices,
): Stripe.SubscriptionItem | undefined {
  return items.find(({ price }) => prices.has(price.id)) ?? items[0];
}

/** The less, the more it gives; -1 where it gives nothing. */
function rankOf({ status }: Stripe.Subscription): number {
  const ours = statuses[status];
  return ours === undefined ? -1 : ranks.indexOf(ours);
}

/** A subscription with its latest invoice written out; its plan is that of the first price that is known. */
export function toSubscription(
  given: Stripe.Subscription,
  { prices, now }: { prices: Prices; now: Date },
): Subscription {
  const item = itemOf(given.items.data, prices);
  const price = item?.price.id ?? "";
  const end = item?.current_period_end;
  const cancelled = given.cancel_at_period_end ? end : undefined;
  return {
    // The id of a price that no setting names tells the operator which one is missing.
    plan: prices.get(price) ?? price,
    status: statuses[given.status] ?? "canceled",
    currentPeriodEnd: toDate(end),
    unpaidSince: toUnpaidSince(given, item?.current_period_start),
    cancelsAt: toDate(given.cancel_at ?? cancelled),
    customer: idOf(given.customer),
    updatedAt: now,
  };
}

/** A bill that is not paid counts from when it was sent: by then the period that it is for has begun already. */
function toUnpaidSince(
  { status, latest_invoice: invoice }: Stripe.Subscription,
  periodStart: number | undefined,
): Date | null {
  if (status !== "past_due" && status !== "unpaid") return null;
  if (typeof invoice !== "object" || !invoice) return toDate(periodStart);
  return toDate(invoice.status_transitions.finalized_at ?? invoice.created);
}

/** What pays, without whose it is. */
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

/** An invoice; undefined while it is a draft, which may change or go. */
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
 * The newest plan that waits for its first bill (`incomplete`, for 23 hours), with the page of that bill: a second purchase
 * beside it could be paid too.
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
    const isWhole = typeof invoice === "object" && invoice !== null;
    return { plan, url: isWhole ? (invoice.hosted_invoice_url ?? null) : null };
  }
  return undefined;
}
