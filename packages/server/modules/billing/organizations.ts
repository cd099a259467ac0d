import { hrefOf, paths } from "@avow/contract/urls";
import { Fault } from "../../platform/errors.ts";
import {
  type Account,
  type Invoice,
  PaymentsError,
  type PlanPrice,
} from "../../platform/payments/payments.ts";
import type { BillingApp } from "./app.ts";
import { isOpen, toTier } from "./billing.ts";
import type { InvoiceOut, OrganizationBillingOut } from "./schema.ts";

const INVOICES_SHOWN = 10;

type Reading = Pick<BillingApp, "db" | "countUse" | "payments" | "plans" | "config" | "now">;
type Use = Awaited<ReturnType<BillingApp["countUse"]>>;

/** The billing data of an organization; parts are missing without a payment provider. */
type BillingData = Pick<Account, "subscription"> &
  Partial<Account> & {
    usage: Use;
    invoices?: readonly Invoice[];
    prices?: readonly PlanPrice[];
  };

/** Reads an organization's current subscription and payment data from the provider. Throws `PaymentsError`. */
export async function readOrganizationBilling(
  app: Reading,
  organizationId: string,
): Promise<OrganizationBillingOut> {
  const { charging } = app.payments;
  const usage = await app.countUse(app.db, organizationId);
  if (!charging) {
    const subscription = await app.payments.findSubscription(organizationId);
    return toOrganizationBilling(app, organizationId, { subscription, usage });
  }
  const [account, prices, { items }] = await Promise.all([
    charging.findAccount(organizationId),
    charging.listPrices(),
    charging.listInvoices(organizationId, { limit: INVOICES_SHOWN, after: undefined }),
  ]);
  return toOrganizationBilling(app, organizationId, {
    ...account,
    usage,
    prices,
    invoices: items,
  });
}

export function toOrganizationBilling(
  { plans, payments, config, now }: Omit<Reading, "db" | "countUse">,
  organizationId: string,
  data: BillingData,
): OrganizationBillingOut {
  const { subscription, paymentSource, taxIds = [], invoices = [], prices = [], usage } = data;
  const { unfinished } = data;
  // No second purchase while one can still be paid.
  const canBuy = payments.charging !== undefined && !isOpen(subscription) && !unfinished;
  const bill = unfinished?.url ?? undefined;
  const { publicUrl } = config.http;
  const { plan, status } = toTier(plans, subscription, now());
  return {
    organizationId,
    plan: plan.name,
    status,
    currentPeriodEnd: toText(subscription?.currentPeriodEnd),
    unpaidSince: toText(subscription?.unpaidSince),
    cancelsAt: toText(subscription?.cancelsAt),
    ...(paymentSource ? { paymentSource } : {}),
    taxIds: [...taxIds],
    invoices: invoices.map(toInvoiceOut),
    usage,
    prices: [...prices],
    links: {
      self: hrefOf(publicUrl, paths.organizationBilling, { organizationId }),
      organization: hrefOf(publicUrl, paths.document, {
        resource: "organizations",
        documentId: organizationId,
      }),
      plans: hrefOf(publicUrl, paths.plans, {}),
      invoices: hrefOf(publicUrl, paths.invoices, { organizationId }),
      ...(canBuy ? { checkout: hrefOf(publicUrl, paths.checkout, {}) } : {}),
      ...(bill === undefined ? {} : { bill }),
      ...(data.isCustomer ? { portal: hrefOf(publicUrl, paths.portal, {}) } : {}),
    },
  };
}

/**
 * Lists a page of an organization's invoices, the newest first.
 * @throws Fault invalid for an unknown cursor, PaymentsError
 */
export async function readInvoices(
  { payments, config }: Pick<BillingApp, "payments" | "config">,
  organizationId: string,
  { limit, cursor }: { limit: number; cursor?: string },
) {
  const { charging } = payments;
  const { publicUrl } = config.http;
  const page = charging
    ? await asCursor(cursor, () => charging.listInvoices(organizationId, { limit, after: cursor }))
    : { items: [], hasMore: false };
  const at = (from: string | undefined) =>
    hrefOf(publicUrl, paths.invoices, { organizationId }, { limit, cursor: from });
  const last = page.items.at(-1);
  return {
    items: page.items.map(toInvoiceOut),
    links: { self: at(cursor), ...(page.hasMore && last ? { next: at(last.id) } : {}) },
  };
}

async function asCursor<T>(cursor: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (cursor === undefined || !(error instanceof PaymentsError) || !error.isMissing) throw error;
    const faults = [{ path: "?cursor", message: "is not a cursor of this list" }];
    throw new Fault("invalid", "?cursor: is not a cursor of this list", { faults });
  }
}

function toInvoiceOut({ url, pdf, ...invoice }: Invoice): InvoiceOut {
  return {
    ...invoice,
    _id: invoice.id,
    createdAt: invoice.createdAt.toISOString(),
    dueAt: toText(invoice.dueAt),
    paidAt: toText(invoice.paidAt),
    links: { ...(url === null ? {} : { page: url }), ...(pdf === null ? {} : { pdf }) },
  };
}

function toText(date: Date | null | undefined): string | null {
  return date?.toISOString() ?? null;
}
