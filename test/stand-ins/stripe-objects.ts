import { randomBytes } from "node:crypto";
import type { Stripe } from "stripe";

/** Complete objects of Stripe, by the SDK's own types. */

export const newId = (prefix: string): string => `${prefix}_${randomBytes(10).toString("hex")}`;

const page = <T>(url: string, data: T[]): Stripe.ApiList<T> => ({
  object: "list",
  data,
  has_more: false,
  url,
});

export function newCustomer(at: number, given: Partial<Stripe.Customer>): Stripe.Customer {
  const id = newId("cus");
  return {
    id,
    object: "customer",
    balance: 0,
    created: at,
    default_source: null,
    description: null,
    email: null,
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: {},
    shipping: null,
    tax_ids: page<Stripe.TaxId>(`/v1/customers/${id}/tax_ids`, []),
    ...given,
  } satisfies Stripe.Customer;
}

export function newPaymentMethod(at: number, customer: string): Stripe.PaymentMethod {
  return {
    id: newId("pm"),
    object: "payment_method",
    billing_details: { address: null, email: null, name: "Ada", phone: null, tax_id: null },
    created: at,
    customer,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: "card",
    card: {
      brand: "visa",
      checks: null,
      country: "FR",
      display_brand: "visa",
      exp_month: 12,
      exp_year: 2030,
      funding: "credit",
      generated_from: null,
      last4: "4242",
      networks: null,
      regulated_status: null,
      three_d_secure_usage: null,
      wallet: null,
    },
  } satisfies Stripe.PaymentMethod;
}

export function newTaxId(at: number, customer: string, value: string): Stripe.TaxId {
  return {
    id: newId("txi"),
    object: "tax_id",
    country: value.slice(0, 2),
    created: at,
    customer,
    customer_account: null,
    livemode: false,
    owner: null,
    type: "eu_vat",
    value,
    verification: null,
  } satisfies Stripe.TaxId;
}

/** A monthly price, or a yearly one when its id says so. */
export function newPrice(id: string): Stripe.Price {
  return {
    id,
    object: "price",
    active: true,
    billing_scheme: "per_unit",
    created: 0,
    currency: "eur",
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product: "prod_standin",
    recurring: {
      interval: id.endsWith("yearly") ? "year" : "month",
      interval_count: 1,
      meter: null,
      trial_period_days: null,
      usage_type: "licensed",
    },
    tax_behavior: null,
    tiers_mode: null,
    transform_quantity: null,
    type: "recurring",
    unit_amount: 2_900,
    unit_amount_decimal: null,
  } satisfies Stripe.Price;
}

export interface Period {
  start: number;
  end: number;
}

export function newItem(subscription: string, price: string, period: Period) {
  return {
    id: newId("si"),
    object: "subscription_item",
    billing_thresholds: null,
    created: period.start,
    current_period_end: period.end,
    current_period_start: period.start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: {
      id: price,
      object: "plan",
      active: true,
      amount: 2_900,
      amount_decimal: null,
      billing_scheme: "per_unit",
      created: 0,
      currency: "eur",
      interval: "month",
      interval_count: 1,
      livemode: false,
      metadata: {},
      meter: null,
      nickname: null,
      product: "prod_standin",
      tiers_mode: null,
      transform_usage: null,
      trial_period_days: null,
      usage_type: "licensed",
    },
    price: newPrice(price),
    quantity: 1,
    subscription,
    tax_rates: [],
  } satisfies Stripe.SubscriptionItem;
}

interface NewSubscription {
  customer: string;
  price: string;
  period: Period;
  status: Stripe.Subscription.Status;
  method: string;
}

export function newSubscription(given: NewSubscription): Stripe.Subscription {
  const id = newId("sub");
  const { customer, price, period, status, method } = given;
  return {
    id,
    object: "subscription",
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: period.start,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: null, type: "classic" },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: null,
    collection_method: "charge_automatically",
    created: period.start,
    currency: "eur",
    customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: method,
    default_source: null,
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: "self" },
    },
    items: page(`/v1/subscription_items?subscription=${id}`, [newItem(id, price, period)]),
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: null,
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: period.start,
    status,
    test_clock: null,
    transfer_data: null,
    trial_end: status === "trialing" ? period.end : null,
    trial_settings: null,
    trial_start: status === "trialing" ? period.start : null,
  } satisfies Stripe.Subscription;
}

interface NewInvoice {
  customer: string;
  number: number;
  at: number;
  status: Stripe.Invoice.Status;
  total?: number;
}

export function newInvoice({ customer, number, at, status, total = 2_900 }: NewInvoice) {
  const id = newId("in");
  const isPaid = status === "paid";
  return {
    id,
    object: "invoice",
    account_country: "FR",
    account_name: "Avow",
    account_tax_ids: null,
    amount_due: total,
    amount_overpaid: 0,
    amount_paid: isPaid ? total : 0,
    amount_remaining: isPaid ? 0 : total,
    amount_shipping: 0,
    application: null,
    attempt_count: 1,
    attempted: true,
    automatic_tax: {
      disabled_reason: null,
      enabled: false,
      liability: null,
      provider: null,
      status: null,
    },
    automatically_finalizes_at: null,
    billing_reason: "subscription_cycle",
    collection_method: "charge_automatically",
    created: at,
    currency: "eur",
    custom_fields: null,
    customer,
    customer_account: null,
    customer_address: null,
    customer_email: null,
    customer_name: null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: "none",
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: at,
    ending_balance: 0,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: `https://invoice.stripe.example/i/${id}`,
    invoice_pdf: `https://pay.stripe.example/invoice/${id}/pdf`,
    issuer: { type: "self" },
    last_finalization_error: null,
    latest_revision: null,
    lines: page<Stripe.InvoiceLineItem>(`/v1/invoices/${id}/lines`, []),
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: status === "draft" ? null : `AVOW-${String(number).padStart(4, "0")}`,
    on_behalf_of: null,
    parent: null,
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: null,
    },
    period_end: at,
    period_start: at,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status,
    status_transitions: {
      finalized_at: status === "draft" ? null : at,
      marked_uncollectible_at: null,
      paid_at: isPaid ? at : null,
      voided_at: null,
    },
    subtotal: total,
    subtotal_excluding_tax: total,
    test_clock: null,
    total,
    total_discount_amounts: [],
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  } satisfies Stripe.Invoice;
}
