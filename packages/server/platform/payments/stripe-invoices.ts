import type { Stripe } from "stripe";
import { PaymentsError, type Invoice } from "./payments.ts";
import { asking } from "./stripe-errors.ts";
import { toInvoice } from "./stripe-facts.ts";

const idPattern = /^in_\w{1,255}$/;
const PAGES_MAX = 5;

/**
 * A page of a customer's invoices, the newest first. Drafts are passed over, so that further pages are read until this
 * one is full.
 * @throws PaymentsError; `isMissing` where `after` is no invoice
 */
export async function listStripeInvoices(
  stripe: Stripe,
  customer: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<{ items: Invoice[]; hasMore: boolean }> {
  if (after !== undefined && !idPattern.test(after))
    throw new PaymentsError("That is no invoice's id.", { isMissing: true });
  const items: Invoice[] = [];
  let last = after;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const query = { customer, limit: limit - items.length };
    const from = last === undefined ? {} : { starting_after: last };
    const { data, has_more: hasMore } = await asking("list invoices", () =>
      stripe.invoices.list({ ...query, ...from }),
    );
    items.push(...data.map(toInvoice).filter((invoice) => invoice !== undefined));
    last = data.at(-1)?.id;
    if (!hasMore || items.length >= limit || last === undefined) return { items, hasMore };
  }
  return { items, hasMore: true };
}
