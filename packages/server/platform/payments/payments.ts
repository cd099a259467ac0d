/** The states of a subscription, as payment providers name them (wire section 8). */
export const subscriptionStatuses = [
  "active",
  "trialing",
  "past_due",
  "canceled",
  "unpaid",
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** What an organization has subscribed to. */
export interface Subscription {
  /** The plan's name. */
  plan: string;
  status: SubscriptionStatus;
  /** The end of what is paid for; null: no end. */
  currentPeriodEnd: Date | null;
  /** Since when a bill of it is not paid; null: none is, or nobody tells. */
  unpaidSince: Date | null;
  /** When it ends by its owner's wish; null: it goes on. */
  cancelsAt: Date | null;
  /** The provider's id of who pays; null where the operator set the subscription. */
  customer: string | null;
  updatedAt: Date;
}

/** The payment provider: where subscriptions are kept, and asked for afresh. */
export interface Payments {
  /** The driver's name, for messages. */
  readonly provider: string;
  /**
   * The organization's subscription as the provider has it now; undefined where it has none.
   * Throws when the provider does not answer: nothing is known then.
   */
  findSubscription(organizationId: string): Promise<Subscription | undefined>;
  /** What a provider does that takes money; undefined for one that does not. */
  readonly charging?: Charging | undefined;
}

/** What pays, as people know it. */
export interface PaymentSource {
  /** The provider's word, such as `card` or `sepa_debit`. */
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
  /** What was given back by credit notes. */
  credited: number;
  /** Lower-case ISO 4217. */
  currency: string;
  createdAt: Date;
  dueAt: Date | null;
  paidAt: Date | null;
  /** The provider's page and file of it. */
  url: string | null;
  pdf: string | null;
}

/** What a plan is sold for. */
export interface PlanPrice {
  plan: string;
  /** In the currency's smallest unit, without taxes that the provider adds. */
  amount: number;
  /** Lower-case ISO 4217. */
  currency: string;
  /** Paid each so many of these. */
  interval: "day" | "week" | "month" | "year";
  intervalCount: number;
}

/** Who pays for an organization. */
export interface Account {
  subscription: Subscription | undefined;
  paymentSource: PaymentSource | undefined;
  /** Whether the provider knows it: there is a page where what was bought is changed. */
  isCustomer: boolean;
  /** What waits for its first bill; undefined: nothing does. */
  unfinished: Unfinished | undefined;
  taxIds: readonly { type: string; value: string }[];
}

/** A page of the provider's for somebody to go to. */
export interface OpenedPage {
  url: string;
  /** It was opened for the same key before. */
  isReplay: boolean;
}

/** What was begun to be bought, and is not had before its first bill is paid. */
export interface Unfinished {
  plan: string;
  /** The provider's page of the bill; null where it has none. */
  url: string | null;
}

/** What somebody pays for, or will once its first bill is paid. */
export interface Standing {
  /** The provider's. */
  id: string;
  /** The plan's name; the provider's id of the price where no plan has it. */
  plan: string;
  status: SubscriptionStatus | "incomplete";
  /** The provider's page of the first bill that waits; null where there is none. */
  url: string | null;
  cancelsAt: Date | null;
  /** Whether it was sold through this service, rather than by hand. */
  isBoughtHere: boolean;
}

export interface CheckoutIn {
  organizationId: string;
  /** What the organization is called, for the provider's own lists. */
  title: string;
  plan: string;
  successUrl: string;
  cancelUrl: string;
  /** The same key and content open one page (a day long); undefined: each call opens one. */
  key: string | undefined;
}

export interface PortalIn {
  organizationId: string;
  returnUrl: string;
  key: string | undefined;
}

/** What a provider tells of something that happened there. */
export interface ToldEvent {
  id: string;
  type: string;
  /** Whom it is about; undefined for what is about nobody. */
  customer: string | undefined;
}

/** A provider that takes money. All throw `PaymentsError`. */
export interface Charging {
  /** Customers of the test mode are not those of the live one. */
  readonly mode: "test" | "live";
  /** The plans that can be bought. */
  readonly plans: ReadonlySet<string>;
  /** Opens the page where a plan is bought. Earlier pages of the organization are closed. */
  openCheckout(checkout: CheckoutIn): Promise<OpenedPage>;
  /** A purchase that was begun and whose first bill waits to be paid; undefined where none does. */
  findUnfinished(organizationId: string): Promise<Unfinished | undefined>;
  /** Closes the pages of the organization that can still be paid: it has what they sell. */
  closeCheckouts(organizationId: string): Promise<void>;
  /** Everything that an organization pays for or is about to: that which counts first. */
  listStanding(organizationId: string): Promise<readonly Standing[]>;
  /** Ends a subscription at once, whether or not it has ended meanwhile. */
  endSubscription(id: string): Promise<void>;
  /** Opens the page where what was bought is changed; undefined for who never bought. */
  openPortal(portal: PortalIn): Promise<OpenedPage | undefined>;
  /** Reads what the provider sent. Throws `Fault` (invalid) for what it did not sign. */
  readEvent(told: { body: Buffer; signature: string | undefined }): Promise<ToldEvent>;
  /** What the plans are sold for, a few minutes old at most; one that has no single price is not among them. */
  listPrices(): Promise<readonly PlanPrice[]>;
  findAccount(organizationId: string): Promise<Account>;
  /** Finished invoices, the newest first; `after` is the last one's id of the page before. */
  listInvoices(
    organizationId: string,
    page: { limit: number; after: string | undefined },
  ): Promise<{ items: Invoice[]; hasMore: boolean }>;
}

interface PaymentsErrorOptions {
  /** Whether trying again may help. */
  isAway?: boolean;
  /** What was asked for is not there. */
  isMissing?: boolean;
  /** The key was used with another content. */
  isOtherContent?: boolean;
}

/** What the provider refused, or did not answer, in words that a log may hold. */
export class PaymentsError extends Error {
  override readonly name = "PaymentsError";
  readonly isAway: boolean;
  readonly isMissing: boolean;
  readonly isOtherContent: boolean;

  constructor(message: string, options: PaymentsErrorOptions) {
    super(message);
    this.isAway = options.isAway ?? false;
    this.isMissing = options.isMissing ?? false;
    this.isOtherContent = options.isOtherContent ?? false;
  }
}

/**
 * Which subscription counts: the provider's, unless it ended or is not there and the operator has set one since
 * (one that the provider does not know any more has ended).
 */
export function toCounting(
  own: Subscription | undefined,
  theirs: Subscription | undefined,
): Subscription | undefined {
  const isSet = own !== undefined && own.customer === null;
  if (theirs && !(theirs.status === "canceled" && isSet)) return theirs;
  return own === undefined || isSet ? own : { ...own, status: "canceled" };
}
