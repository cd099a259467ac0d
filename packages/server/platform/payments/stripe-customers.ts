import { createHash } from "node:crypto";
import type { Stripe } from "stripe";
import type { Db } from "../db/db.ts";
import {
  type CustomerKey,
  claimCustomer,
  findCustomer,
  clearCustomer,
  saveCustomer,
} from "./customers-store.ts";
import { callStripe } from "./stripe-errors.ts";

const TAX_IDS_MAX = 20;
const DESCRIPTION_LENGTH_MAX = 200;

export interface CustomersOptions {
  db: Db;
  now: () => Date;
  stripe: Stripe;
  /** Test mode and live mode have different customers. */
  mode: "test" | "live";
}

/** Maps organizations to Stripe customers. All methods throw `PaymentsError`. */
export interface Customers {
  findId(organizationId: string): Promise<string | undefined>;
  /** Creates a customer if there is none, or if it was deleted at Stripe. */
  ensureId(organizationId: string, title: string): Promise<string>;
}

export function openCustomers({ db, now, stripe, mode }: CustomersOptions): Customers {
  const ensureId = async (organizationId: string, title: string): Promise<string> => {
    const key: CustomerKey = { organizationId, mode };
    const claimed = await claimCustomer(db, key, now());
    const { customer_id: id, ordinal } = claimed;
    if (id !== null && (await exists(stripe, id))) return id;
    if (id !== null) {
      await clearCustomer(db, id);
      return ensureId(organizationId, title);
    }
    const description = title.slice(0, DESCRIPTION_LENGTH_MAX);
    // An idempotency key, so that a retry before the customer was saved gets the same one.
    const digest = createHash("sha256")
      .update(JSON.stringify([organizationId, mode, ordinal, description]))
      .digest("base64url");
    const made = await callStripe("create a customer", () =>
      stripe.customers.create(
        { description, metadata: { organizationId } },
        { idempotencyKey: `avow-customer-${digest}` },
      ),
    );
    return saveCustomer(db, claimed, made.id);
  };
  return {
    ensureId,
    findId: async (organizationId) =>
      (await findCustomer(db, { organizationId, mode }))?.customer_id ?? undefined,
  };
}

/** Stripe still returns deleted customers, marked as such. */
async function exists(stripe: Stripe, customer: string): Promise<boolean> {
  const found = await callStripe("read a customer", () => stripe.customers.retrieve(customer));
  return found.deleted !== true;
}

/** Finds a customer's default payment method and tax ids; undefined when deleted. */
export async function findCustomerDetails(stripe: Stripe, customer: string) {
  const expand = ["invoice_settings.default_payment_method", "tax_ids"];
  const found = await callStripe("read a customer", () =>
    stripe.customers.retrieve(customer, { expand }),
  );
  if (found.deleted === true) return undefined;
  const taxIds = found.tax_ids?.data ?? [];
  return {
    method: found.invoice_settings.default_payment_method,
    taxIds: taxIds.slice(0, TAX_IDS_MAX).map(({ type, value }) => ({ type, value })),
  };
}
