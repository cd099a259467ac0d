import type { Stripe } from "stripe";
import type { CheckoutIn, OpenedPage, PortalIn } from "./payments.ts";
import { PaymentsError } from "./payments.ts";
import { asking } from "./stripe-errors.ts";

const OPEN_MAX = 100;

/**
 * Opens Stripe's page for a subscription, where a company's name, address and tax id are asked for too. Pages that were
 * opened before are closed, so that nobody pays twice: of two that are opened at once, the later one stays.
 */
export async function openCheckoutPage(
  stripe: Stripe,
  checkout: CheckoutIn & { customer: string; price: string },
): Promise<OpenedPage> {
  const { customer, price, organizationId, key } = checkout;
  const session = await asking("open a checkout", () =>
    stripe.checkout.sessions.create(
      {
        mode: "subscription",
        customer,
        client_reference_id: organizationId,
        line_items: [{ price, quantity: 1 }],
        success_url: checkout.successUrl,
        cancel_url: checkout.cancelUrl,
        subscription_data: { metadata: { organizationId } },
        tax_id_collection: { enabled: true },
        customer_update: { name: "auto", address: "auto" },
      },
      toOptions(key),
    ),
  );
  if (!session.url)
    throw new PaymentsError("Stripe opened a checkout without an address", { isAway: false });
  await closeOlder(stripe, customer, session.id);
  return { url: session.url, isReplay: isReplay(session) };
}

/** Closes every page of a customer that can still be paid. @throws PaymentsError */
export async function closeCheckoutPages(stripe: Stripe, customer: string): Promise<void> {
  try {
    await close(stripe, await listOpen(stripe, customer));
  } catch (error) {
    // Of a customer that somebody deleted no page takes money.
    if (!(error instanceof PaymentsError) || !error.isMissing) throw error;
  }
}

async function closeOlder(stripe: Stripe, customer: string, id: string): Promise<void> {
  const open = await listOpen(stripe, customer);
  const at = open.findIndex((session) => session.id === id);
  await close(stripe, at < 0 ? [] : open.slice(at + 1));
}

/** The newest first, as Stripe lists them. */
async function listOpen(stripe: Stripe, customer: string): Promise<Stripe.Checkout.Session[]> {
  const query = { customer, status: "open", limit: OPEN_MAX } as const;
  const { data } = await asking("list checkouts", () => stripe.checkout.sessions.list(query));
  return data;
}

async function close(stripe: Stripe, open: readonly Stripe.Checkout.Session[]): Promise<void> {
  for (const { id } of open) {
    try {
      await asking("close a checkout", () => stripe.checkout.sessions.expire(id));
    } catch (error) {
      // It was paid or ran out since it was listed.
      if (!(error instanceof PaymentsError) || error.isAway) throw error;
    }
  }
}

/** Opens Stripe's page where a subscription, its payment method and its invoices are. */
export async function openPortalPage(
  stripe: Stripe,
  customer: string,
  { returnUrl, key }: PortalIn,
): Promise<OpenedPage> {
  const session = await asking("open the portal", () =>
    stripe.billingPortal.sessions.create({ customer, return_url: returnUrl }, toOptions(key)),
  );
  return { url: session.url, isReplay: isReplay(session) };
}

function toOptions(key: string | undefined): { idempotencyKey?: string } {
  return key === undefined ? {} : { idempotencyKey: key };
}

function isReplay({ lastResponse }: Stripe.Response<object>): boolean {
  return lastResponse.headers["idempotent-replayed"] === "true";
}
