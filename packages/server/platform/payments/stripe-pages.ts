import type { Stripe } from "stripe";
import type { CheckoutIn, OpenedPage, PortalIn } from "./payments.ts";
import { PaymentsError } from "./payments.ts";
import { callStripe } from "./stripe-errors.ts";

const OPEN_MAX = 100;

/**
 * Opens Stripe's checkout page for a subscription, which also asks for a company's name, address and tax id. Earlier
 * pages are closed to prevent a double payment. When two are opened concurrently, the later one remains.
 */
export async function openCheckoutPage(
  stripe: Stripe,
  checkout: CheckoutIn & { customer: string; price: string },
): Promise<OpenedPage> {
  const { customer, price, organizationId, key } = checkout;
  const session = await callStripe("open a checkout", () =>
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
    throw new PaymentsError("Stripe returned a checkout without a URL", { isUnavailable: false });
  await closeOlder(stripe, customer, session.id);
  return { url: session.url, isReplay: isReplay(session) };
}

/** Closes all open checkout pages of a customer. @throws PaymentsError */
export async function closeCheckoutPages(stripe: Stripe, customer: string): Promise<void> {
  try {
    await close(stripe, await listOpen(stripe, customer));
  } catch (error) {
    // The pages of a deleted customer cannot be paid.
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
  const { data } = await callStripe("list checkouts", () => stripe.checkout.sessions.list(query));
  return data;
}

async function close(stripe: Stripe, open: readonly Stripe.Checkout.Session[]): Promise<void> {
  for (const { id } of open) {
    try {
      await callStripe("close a checkout", () => stripe.checkout.sessions.expire(id));
    } catch (error) {
      // It was paid or has expired since it was listed.
      if (!(error instanceof PaymentsError) || error.isUnavailable) throw error;
    }
  }
}

/** Opens Stripe's customer portal. */
export async function openPortalPage(
  stripe: Stripe,
  customer: string,
  { returnUrl, key }: PortalIn,
): Promise<OpenedPage> {
  const session = await callStripe("open the portal", () =>
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
