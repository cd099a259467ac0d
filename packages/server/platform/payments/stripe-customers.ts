import { createHash } from "node:crypto";
import type { Stripe } from "stripe";
import type { Db } from "../db/db.ts";
import {
  type CustomerKey,
  claimCustomer,
  findCustomer,
  forgetCustomer,
  keepCustomer,
} from "./customers-store.ts";
import { asking } from "./stripe-errors.ts";

const TAX_IDS_MAX = 20;
const DESCRIPTION_LENGTH_MAX = 200;

export interface CustomersOptions {
  db: Db;
  now: () => Date;
  stripe: Stripe;
  /** Customers of the test mode are not those of the live one. */
  mode: "test" | "live";
}

/** Which customer an organization is at Stripe. All throw `PaymentsError`. */
export interface Customers {
  /** Undefined where it never was one. */
  findId(organizationId: string): Promise<string | undefined>;
  /** Makes one where there is none, or where somebody deleted it at Stripe. */
  ensureId(organizationId: string, title: string): Promise<string>;
}

export function openCustomers({ db, now, stripe, mode }: CustomersOptions): Customers {
  const ensureId = async (organizationId: string, title: string): Promise<string> => {
    const key: CustomerKey = { organizationId, mode };
    const claimed = await claimCustomer(db, key, now());
    const { customer_id: id, ordinal } = claimed;
    if (id !== null && (await isThere(stripe, id))) return id;
    if (id !== null) {
      await forgetCustomer(db, id);
      return ensureId(organizationId, title);
    }
    const description = title.slice(0, DESCRIPTION_LENGTH_MAX);
    // A try that was cut off before the customer was kept finds the same one.
    const digest = createHash("sha256")
      .update(JSON.stringify([organizationId, mode, ordinal, description]))
      .digest("base64url");
    const made = await asking("create a customer", () =>
      stripe.customers.create(
        { description, metadata: { organizationId } },
        { idempotencyKey: `avow-customer-${digest}` },
      ),
    );
    return keepCustomer(db, claimed, made.id);
  };
  return {
    ensureId,
    findId: async (organizationId) =>
      (await findCustomer(db, { organizationId, mode }))?.customer_id ?? undefined,
  };
}

/** A customer that somebody deleted answers still, and says so. */
async function isThere(stripe: Stripe, customer: string): Promise<boolean> {
  const found = await asking("read a customer", () => stripe.customers.retrieve(customer));
  return found.deleted !== true;
}

/** How a customer pays by default, and its tax ids; undefined where somebody deleted it. */
export async function findHolder(stripe: Stripe, customer: string) {
  const expand = ["invoice_settings.default_payment_method", "tax_ids"];
  const found = await asking("read a customer", () =>
    stripe.customers.retrieve(customer, { expand }),
  );
  if (found.deleted === true) return undefined;
  const taxIds = found.tax_ids?.data ?? [];
  return {
    method: found.invoice_settings.default_payment_method,
    taxIds: taxIds.slice(0, TAX_IDS_MAX).map(({ type, value }) => ({ type, value })),
  };
}
