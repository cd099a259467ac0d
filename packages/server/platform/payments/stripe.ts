import type { Stripe } from "stripe";
import type { Db } from "../db/db.ts";
import {
  type Charging,
  type Payments,
  PaymentsError,
  type Subscription,
  toEffectiveSubscription,
} from "./payments.ts";
import { type StripeClientOptions, openStripeClient } from "./stripe-client.ts";
import { type Customers, findCustomerDetails, openCustomers } from "./stripe-customers.ts";
import { callStripe } from "./stripe-errors.ts";
import {
  type Prices,
  pickSubscription,
  toPaymentSource,
  toOpenSubscriptions,
  toSubscription,
  toUnfinished,
} from "./stripe-facts.ts";
import { readStripeEvent } from "./stripe-events.ts";
import { listStripeInvoices } from "./stripe-invoices.ts";
import { openPrices } from "./stripe-prices.ts";
import { closeCheckoutPages, openCheckoutPage, openPortalPage } from "./stripe-pages.ts";
import { findSubscription } from "./store.ts";

export interface StripeOptions extends StripeClientOptions {
  db: Db;
  now: () => Date;
  prices: Prices;
  /** All plans by name, the highest last. */
  plans: readonly string[];
  webhookSecret: string;
}

interface Parts extends Pick<StripeOptions, "db" | "now" | "prices" | "plans" | "webhookSecret"> {
  mode: "test" | "live";
  stripe: Stripe;
  customers: Customers;
}

const SUBSCRIPTIONS_MAX = 100;

/**
 * Opens Stripe as the payment provider. Subscriptions are read from Stripe each time; only customer ids are stored here.
 * Keys of test mode and live mode have different customers.
 */
export function openStripePayments(options: StripeOptions): Payments & Disposable {
  const { db, now, prices, plans, secretKey, webhookSecret } = options;
  const client = openStripeClient(options);
  const { stripe } = client;
  const mode = /^[a-z]+_test_/.test(secretKey) ? "test" : "live";
  const customers = openCustomers({ db, now, stripe, mode });
  const parts: Parts = { db, now, prices, plans, webhookSecret, mode, stripe, customers };
  return {
    provider: "stripe",
    charging: toCharging(parts),
    async findSubscription(organizationId) {
      const customer = await customers.findId(organizationId);
      if (customer === undefined) return findSubscription(db, organizationId);
      return toOurs(parts, organizationId, await findTheirs(parts, customer));
    },
    [Symbol.dispose]: () => client[Symbol.dispose](),
  };
}

function toCharging(parts: Parts): Charging {
  const { db, stripe, customers, prices, mode } = parts;
  return {
    mode,
    listPrices: openPrices(parts),
    readEvent: (request) => readStripeEvent({ ...parts, isLive: mode === "live" }, request),
    plans: new Set(prices.values()),
    async openCheckout(checkout) {
      const customer = await customers.ensureId(checkout.organizationId, checkout.title);
      return openCheckoutPage(stripe, { ...checkout, customer, price: toPrice(prices, checkout) });
    },
    async findUnfinished(organizationId) {
      const customer = await customers.findId(organizationId);
      return customer === undefined
        ? undefined
        : toUnfinished(await listTheirs(parts, customer), prices);
    },
    async closeCheckouts(organizationId) {
      const customer = await customers.findId(organizationId);
      if (customer !== undefined) await closeCheckoutPages(stripe, customer);
    },
    async listOpenSubscriptions(organizationId) {
      const customer = await customers.findId(organizationId);
      if (customer === undefined) return [];
      const found = await listTheirs(parts, customer);
      return toOpenSubscriptions(found, { offer: parts, organizationId, now: parts.now() });
    },
    endSubscription: (id) => endSubscription(stripe, id),
    async openPortal(portal) {
      const customer = await customers.findId(portal.organizationId);
      return customer === undefined ? undefined : openPortalPage(stripe, customer, portal);
    },
    async listInvoices(organizationId, page) {
      const customer = await customers.findId(organizationId);
      if (customer === undefined) return { items: [], hasMore: false };
      return listStripeInvoices(stripe, customer, page);
    },
    async findAccount(organizationId) {
      const customer = await customers.findId(organizationId);
      if (customer === undefined) {
        const subscription = await findSubscription(db, organizationId);
        const none = { paymentSource: undefined, unfinished: undefined, taxIds: [] };
        return { ...none, subscription, isCustomer: false };
      }
      const [theirs, details] = await Promise.all([
        listTheirs(parts, customer),
        findCustomerDetails(stripe, customer),
      ]);
      const found = pickSubscription(theirs, parts);
      return {
        subscription: await toOurs(parts, organizationId, found),
        paymentSource: toPaymentSource(found?.default_payment_method ?? details?.method),
        isCustomer: details !== undefined,
        unfinished: toUnfinished(theirs, prices),
        taxIds: details?.taxIds ?? [],
      };
    },
  };
}

/** Stripe reports a subscription that has already ended as missing. */
async function endSubscription(stripe: Stripe, id: string): Promise<void> {
  try {
    await callStripe("end a subscription", () => stripe.subscriptions.cancel(id));
  } catch (error) {
    if (!(error instanceof PaymentsError) || !error.isMissing) throw error;
  }
}

async function findTheirs(
  parts: Parts,
  customer: string,
): Promise<Stripe.Subscription | undefined> {
  return pickSubscription(await listTheirs(parts, customer), parts);
}

async function listTheirs(
  { stripe }: Parts,
  customer: string,
): Promise<readonly Stripe.Subscription[]> {
  const query = { customer, status: "all", limit: SUBSCRIPTIONS_MAX } as const;
  const expand = ["data.latest_invoice", "data.default_payment_method"];
  const { data } = await callStripe("list subscriptions", () =>
    stripe.subscriptions.list({ ...query, expand }),
  );
  return data;
}

async function toOurs(
  { db, now, prices }: Parts,
  organizationId: string,
  found: Stripe.Subscription | undefined,
): Promise<Subscription | undefined> {
  const own = await findSubscription(db, organizationId);
  return toEffectiveSubscription(own, found && toSubscription(found, { prices, now: now() }));
}

function toPrice(prices: Prices, { plan }: { plan: string }): string {
  const found = [...prices].find(([, name]) => name === plan);
  if (!found) throw new Error(`no price is set for the plan ${plan}`);
  return found[0];
}
