import type { Stripe } from "stripe";
import { newId } from "./stripe-objects.ts";

/** Stripe's hosted pages, by the SDK's own types. */

export function newCheckout(
  at: number,
  given: Pick<Stripe.Checkout.Session, "customer" | "client_reference_id"> & {
    success_url: string;
    cancel_url: string;
  },
): Stripe.Checkout.Session {
  const id = newId("cs_test");
  return {
    id,
    object: "checkout.session",
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: 2_900,
    amount_total: 2_900,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: at,
    currency: "eur",
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer_account: null,
    customer_creation: null,
    customer_details: null,
    customer_email: null,
    discounts: null,
    expires_at: at + 86_400,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: {},
    mode: "subscription",
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: "always",
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ["card"],
    payment_status: "unpaid",
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: "open",
    submit_type: null,
    subscription: null,
    total_details: null,
    ui_mode: null,
    url: `https://checkout.stripe.example/c/${id}`,
    wallet_options: null,
    ...given,
  } satisfies Stripe.Checkout.Session;
}

export function newPortal(
  at: number,
  given: { customer: string; return_url: string },
): Stripe.BillingPortal.Session {
  const id = newId("bps");
  return {
    id,
    object: "billing_portal.session",
    configuration: "bpc_standin",
    created: at,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    url: `https://billing.stripe.example/p/${id}`,
    ...given,
  } satisfies Stripe.BillingPortal.Session;
}
