import type { Stripe } from "stripe";
import { PaymentsError, type Invoice } from "./payments.ts";
import { callStripe } from "./stripe-errors.ts";
import { toInvoice } from "./stripe-facts.ts";

const idPattern = /^in_\w{1,255}$/;
const PAGES_MAX = 5;

/**
 * Lists a page of a customer's invoices, the newest first. Drafts are skipped, and further pages are read until this
 * one is full.
 * @throws PaymentsError with `isMissing` when `after` is not an invoice
 */
export async function listStripeInvoices(
  stripe: Stripe,
  customer: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<{ items: Invoice[]; hasMore: boolean }> {
  if (after !== undefined && !idPattern.test(after))
    throw new PaymentsError("The id is not that of an invoice.", { isMissing: true });
  const items: Invoice[] = [];
  let last = after;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const query = { customer, limit: limit - items.length };
    const from = last === undefined ? {} : { starting_after: last };
    const { data, has_more: hasMore } = await callStripe("list invoices", () =>
      stripe.invoices.list({ ...query, ...from }),
    );
    items.push(...data.map(toInvoice).filter((invoice) => invoice !== undefined));
    last = data.at(-1)?.id;
    if (!hasMore || items.length >= limit || last === undefined) return { items, hasMore };
  }
  return { items, hasMore: true };
}
