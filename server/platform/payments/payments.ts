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
}
