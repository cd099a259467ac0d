import assert from "node:assert/strict";
import type { Stripe } from "stripe";
import {
  type Period,
  newCustomer,
  newId,
  newInvoice,
  newItem,
  newPaymentMethod,
  newSubscription,
  newTaxId,
} from "./stripe-objects.ts";
import { newCheckout, newPortal } from "./stripe-pages.ts";

const MONTH_SECONDS = 30 * 86_400;

/** Called for each event of the account. */
export type OnEvent = (type: Stripe.Event.Type, object: { id?: string; object: string }) => void;

/** The state of an account, and the actions of people and of time on it. */
export function openAccount({ now, onEvent }: { now: () => Date; onEvent: OnEvent }) {
  const customers = new Map<string, Stripe.Customer | Stripe.DeletedCustomer>();
  const methods = new Map<string, Stripe.PaymentMethod>();
  const subscriptions = new Map<string, Stripe.Subscription>();
  const invoices: (Stripe.Invoice & { id: string })[] = [];
  const checkouts = new Map<string, Stripe.Checkout.Session>();
  const prices = new Map<string, string>();
  const seconds = () => Math.floor(now().getTime() / 1_000);

  const getSubscription = (id: string): Stripe.Subscription => {
    const found = subscriptions.get(id);
    assert.ok(found, `no subscription ${id}`);
    return found;
  };
  const getInvoice = (id: unknown) => {
    const found = invoices.find((invoice) => invoice.id === id);
    assert.ok(found, `no invoice ${String(id)}`);
    return found;
  };
  const bill = (subscription: Stripe.Subscription, status: Stripe.Invoice.Status): void => {
    const customer = idOf(subscription.customer);
    const number = invoices.length + 1;
    const invoice = newInvoice({ customer, number, at: seconds(), status });
    invoices.push(invoice);
    subscription.latest_invoice = invoice.id;
    if (status !== "draft")
      onEvent(status === "paid" ? "invoice.paid" : "invoice.payment_failed", invoice);
  };
  const update = (subscription: Stripe.Subscription): void =>
    onEvent("customer.subscription.updated", subscription);
  const setPrice = (subscription: Stripe.Subscription, price: string, period: Period): void => {
    subscription.items.data = [newItem(subscription.id, price, period)];
  };
  const itemOf = ({ items }: Stripe.Subscription): Stripe.SubscriptionItem => {
    const [item] = items.data;
    assert.ok(item);
    return item;
  };

  return {
    customers,
    methods,
    subscriptions,
    invoices,
    checkouts,

    createCustomer(given: { description: string | null; metadata: Stripe.Metadata }) {
      const customer = newCustomer(seconds(), given);
      customers.set(customer.id, customer);
      onEvent("customer.created", customer);
      return customer;
    },
    createCheckout(given: Parameters<typeof newCheckout>[1] & { price: string }) {
      const { price, ...fields } = given;
      const session = newCheckout(seconds(), fields);
      checkouts.set(session.id, session);
      prices.set(session.id, price);
      return session;
    },
    createPortal: (given: Parameters<typeof newPortal>[1]) => newPortal(seconds(), given),

    /** A customer pays on the page of a checkout; returns the subscription's id. */
    complete(url: string, { trialDays = 0 } = {}): string {
      const session = [...checkouts.values()].find((one) => one.url === url);
      assert.ok(session, `no checkout ${url}`);
      assert.equal(session.status, "open", "only an open checkout can be paid");
      const customer = idOf(session.customer);
      const method = newPaymentMethod(seconds(), customer);
      methods.set(method.id, method);
      const start = seconds();
      const end = start + (trialDays > 0 ? trialDays * 86_400 : MONTH_SECONDS);
      const subscription = newSubscription({
        customer,
        price: prices.get(session.id) ?? "",
        period: { start, end },
        status: trialDays > 0 ? "trialing" : "active",
        method: method.id,
      });
      subscriptions.set(subscription.id, subscription);
      Object.assign(session, { status: "complete", subscription: subscription.id, url: null });
      onEvent("customer.subscription.created", subscription);
      bill(subscription, "paid");
      onEvent("checkout.session.completed", session);
      return subscription.id;
    },
    /** A sale of another product to a customer in the dashboard; returns the subscription's id. */
    sell(customer: string, price: string, status: Stripe.Subscription.Status = "active"): string {
      const start = seconds();
      const period = { start, end: start + MONTH_SECONDS };
      const method = newPaymentMethod(start, customer);
      methods.set(method.id, method);
      const given = { customer, price, period, status, method: method.id };
      const subscription = newSubscription(given);
      subscriptions.set(subscription.id, subscription);
      if (status === "incomplete") bill(subscription, "open");
      onEvent("customer.subscription.created", subscription);
      return subscription.id;
    },
    /** The first invoice was not paid within a day. */
    expireIncomplete(id: string): void {
      const subscription = getSubscription(id);
      subscription.status = "incomplete_expired";
      update(subscription);
    },
    /** An owner changes the plan in the portal. */
    changePrice(id: string, price: string): void {
      const subscription = getSubscription(id);
      const { current_period_start: start, current_period_end: end } = itemOf(subscription);
      setPrice(subscription, price, { start, end });
      bill(subscription, "paid");
      update(subscription);
    },
    /** The next month begins, and its invoice is paid or not. */
    renew(id: string, { isPaid }: { isPaid: boolean }): void {
      const subscription = getSubscription(id);
      const item = itemOf(subscription);
      const start = item.current_period_end;
      setPrice(subscription, item.price.id, { start, end: start + MONTH_SECONDS });
      bill(subscription, isPaid ? "paid" : "open");
      subscription.status = isPaid ? "active" : "past_due";
      update(subscription);
    },
    /** The open invoice is paid late. */
    pay(id: string): void {
      const subscription = getSubscription(id);
      const invoice = getInvoice(subscription.latest_invoice);
      Object.assign(invoice, { status: "paid", amount_paid: invoice.total, amount_remaining: 0 });
      invoice.status_transitions.paid_at = seconds();
      subscription.status = "active";
      onEvent("invoice.paid", invoice);
      update(subscription);
    },
    /** Stripe stops retrying the open invoice. */
    stopRetrying(id: string): void {
      const subscription = getSubscription(id);
      subscription.status = "unpaid";
      update(subscription);
    },
    cancelAtPeriodEnd(id: string): void {
      const subscription = getSubscription(id);
      subscription.cancel_at_period_end = true;
      subscription.cancel_at = itemOf(subscription).current_period_end;
      update(subscription);
    },
    end(id: string): void {
      const subscription = getSubscription(id);
      Object.assign(subscription, { status: "canceled", ended_at: seconds() });
      onEvent("customer.subscription.deleted", subscription);
    },
    /** The last invoice is refunded by a credit note. */
    refund(id: string): void {
      const invoice = getInvoice(getSubscription(id).latest_invoice);
      invoice.post_payment_credit_notes_amount = invoice.total;
      onEvent("invoice.updated", invoice);
    },
    addDraft(id: string): void {
      bill(getSubscription(id), "draft");
    },
    addTaxId(customer: string, value: string): void {
      const found = customers.get(customer);
      assert.ok(found && found.deleted !== true);
      found.tax_ids?.data.push(newTaxId(seconds(), customer, value));
      onEvent("customer.updated", found);
    },
    deleteCustomer(id: string): void {
      customers.set(id, { id, object: "customer", deleted: true });
      for (const subscription of subscriptions.values())
        if (subscription.customer === id) subscription.status = "canceled";
      onEvent("customer.deleted", { id, object: "customer" });
    },
    newId,
  };
}

/** The stand-in stores references as ids, never as expanded objects. */
export function idOf(reference: unknown): string {
  assert.ok(typeof reference === "string");
  return reference;
}

export type Account = ReturnType<typeof openAccount>;
