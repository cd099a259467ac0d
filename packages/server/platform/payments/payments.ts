/** The states of a subscription, as payment providers name them (wire section 8). */
export const subscriptionStatuses = [
  "active",
  "trialing",
  "past_due",
  "canceled",
  "unpaid",
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** An organization's subscription. */
export interface Subscription {
  /** The plan's name. */
  plan: string;
  status: SubscriptionStatus;
  /** Null: no end. */
  currentPeriodEnd: Date | null;
  /** The date of the unpaid invoice; null without one, or when unknown. */
  unpaidSince: Date | null;
  /** The date of a requested cancellation; null without one. */
  cancelsAt: Date | null;
  /** The provider's customer id; null when the operator set the subscription. */
  customer: string | null;
  updatedAt: Date;
}

/** The payment provider, which is the source of subscriptions. */
export interface Payments {
  /** The driver's name, for messages. */
  readonly provider: string;
  /**
   * Returns the organization's current subscription at the provider. Throws when the provider is unavailable.
   */
  findSubscription(organizationId: string): Promise<Subscription | undefined>;
  /** Undefined for a provider that takes no money. */
  readonly charging?: Charging | undefined;
}

/** A payment method, as shown to users. */
export interface PaymentSource {
  /** The provider's name of the type, such as `card` or `sepa_debit`. */
  type: string;
  brand?: string;
  last4?: string;
  /** 1 to 12. */
  expiryMonth?: number;
  expiryYear?: number;
}

export interface Invoice {
  id: string;
  number: string | null;
  status: "open" | "paid" | "uncollectible" | "void";
  /** In the currency's smallest unit. */
  total: number;
  amountPaid: number;
  amountDue: number;
  /** The total of credit notes. */
  credited: number;
  /** Lower-case ISO 4217. */
  currency: string;
  createdAt: Date;
  dueAt: Date | null;
  paidAt: Date | null;
  /** The provider's page and PDF of the invoice. */
  url: string | null;
  pdf: string | null;
}

export interface PlanPrice {
  plan: string;
  /** In the currency's smallest unit, without taxes added by the provider. */
  amount: number;
  /** Lower-case ISO 4217. */
  currency: string;
  /** Billed every `intervalCount` intervals. */
  interval: "day" | "week" | "month" | "year";
  intervalCount: number;
}

/** The billing account of an organization. */
export interface Account {
  subscription: Subscription | undefined;
  paymentSource: PaymentSource | undefined;
  /** Whether the provider has a customer, whose portal can be opened. */
  isCustomer: boolean;
  /** A purchase whose first invoice is not paid. */
  unfinished: Unfinished | undefined;
  taxIds: readonly { type: string; value: string }[];
}

/** A page of the provider that the user is redirected to. */
export interface OpenedPage {
  url: string;
  /** Whether it was opened before for the same idempotency key. */
  isReplay: boolean;
}

/** A purchase that takes effect once its first invoice is paid. */
export interface Unfinished {
  plan: string;
  /** The provider's page of the invoice, if it has one. */
  url: string | null;
}

/** A subscription that has not ended, or waits for its first payment. */
export interface OpenSubscription {
  /** The provider's id. */
  id: string;
  /** The plan's name, or the provider's price id without a plan. */
  plan: string;
  status: SubscriptionStatus | "incomplete";
  /** The provider's page of the first invoice, while it is not paid. */
  url: string | null;
  cancelsAt: Date | null;
  /** Whether it was sold through this service, and not created by hand. */
  isBoughtHere: boolean;
}

export interface CheckoutIn {
  organizationId: string;
  /** The organization's title, for the provider's lists. */
  title: string;
  plan: string;
  successUrl: string;
  cancelUrl: string;
  /** Idempotency key, valid for a day; undefined: each call opens a new page. */
  key: string | undefined;
}

export interface PortalIn {
  organizationId: string;
  returnUrl: string;
  key: string | undefined;
}

/** An event of the provider's webhook. */
export interface PaymentEvent {
  id: string;
  type: string;
  /** The customer that the event is about, if any. */
  customer: string | undefined;
}

/** A provider that takes money. All methods throw `PaymentsError`. */
export interface Charging {
  /** Test mode and live mode have different customers. */
  readonly mode: "test" | "live";
  /** The plans for sale. */
  readonly plans: ReadonlySet<string>;
  /** Opens a checkout page, and closes earlier ones of the organization. */
  openCheckout(checkout: CheckoutIn): Promise<OpenedPage>;
  /** Finds a purchase whose first invoice is not paid. */
  findUnfinished(organizationId: string): Promise<Unfinished | undefined>;
  /** Closes the open checkout pages of an organization that has subscribed. */
  closeCheckouts(organizationId: string): Promise<void>;
  /** Lists the subscriptions that have not ended or wait for their first payment, the effective one first. */
  listOpenSubscriptions(organizationId: string): Promise<readonly OpenSubscription[]>;
  /** Ends a subscription at once. Idempotent. */
  endSubscription(id: string): Promise<void>;
  /** Opens the page to manage a subscription; undefined without a customer. */
  openPortal(portal: PortalIn): Promise<OpenedPage | undefined>;
  /** Verifies and parses an event. Throws `Fault` (invalid) for an invalid signature. */
  readEvent(request: { body: Buffer; signature: string | undefined }): Promise<PaymentEvent>;
  /** Lists the prices of plans, at most a few minutes old, without plans that have no single price. */
  listPrices(): Promise<readonly PlanPrice[]>;
  findAccount(organizationId: string): Promise<Account>;
  /** Lists finalized invoices, the newest first; `after` is the last id of the previous page. */
  listInvoices(
    organizationId: string,
    page: { limit: number; after: string | undefined },
  ): Promise<{ items: Invoice[]; hasMore: boolean }>;
}

interface PaymentsErrorOptions {
  /** Whether a retry may succeed. */
  isUnavailable?: boolean;
  /** The requested object does not exist. */
  isMissing?: boolean;
  /** The idempotency key was used with another request. */
  isOtherContent?: boolean;
}

/** A failed request to the provider. The message can be logged. */
export class PaymentsError extends Error {
  override readonly name = "PaymentsError";
  readonly isUnavailable: boolean;
  readonly isMissing: boolean;
  readonly isOtherContent: boolean;

  constructor(message: string, options: PaymentsErrorOptions) {
    super(message);
    this.isUnavailable = options.isUnavailable ?? false;
    this.isMissing = options.isMissing ?? false;
    this.isOtherContent = options.isOtherContent ?? false;
  }
}

/**
 * The effective subscription: the provider's, unless it has ended or is missing and the operator has set one. A stored
 * subscription that the provider no longer has counts as cancelled.
 */
export function toEffectiveSubscription(
  own: Subscription | undefined,
  theirs: Subscription | undefined,
): Subscription | undefined {
  const isSet = own !== undefined && own.customer === null;
  if (theirs && !(theirs.status === "canceled" && isSet)) return theirs;
  return own === undefined || isSet ? own : { ...own, status: "canceled" };
}
