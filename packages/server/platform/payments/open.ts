import type { Db } from "../db/db.ts";
import { createManualPayments } from "./manual.ts";
import type { Payments } from "./payments.ts";

export interface StripeSettings {
  readonly url: string;
  /** The plan of each price. A plan is bought at its first price. */
  readonly prices: ReadonlyMap<string, string>;
}

export interface StripeSecrets {
  readonly secretKey: string;
  readonly webhookSecret: string;
}

export interface PaymentsOptions {
  db: Db;
  now: () => Date;
  config: { readonly billing: { readonly stripe: StripeSettings | undefined } };
  /** All plans by name, the highest last. */
  plans: { readonly byName: ReadonlyMap<string, unknown> };
  secrets: { readonly stripe?: StripeSecrets };
}

/** Opens the configured payment provider. */
export async function openPayments(options: PaymentsOptions): Promise<Payments & Disposable> {
  const { db, now, config, plans, secrets } = options;
  const { stripe } = config.billing;
  if (!stripe || !secrets.stripe)
    return { ...createManualPayments(db), [Symbol.dispose]: () => undefined };
  const names = [...plans.byName.keys()];
  // Loads the SDK only when it is used.
  const { openStripePayments } = await import("./stripe.ts");
  return openStripePayments({ ...stripe, ...secrets.stripe, plans: names, db, now });
}
