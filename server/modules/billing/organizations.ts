import { hrefOf, paths } from "../../paths.ts";
import type { Subscription } from "../../platform/payments/payments.ts";
import type { BillingApp } from "./app.ts";
import { toTier } from "./billing.ts";
import type { OrganizationBillingOut } from "./schema.ts";

/** What an organization has subscribed to, as it is answered. */
export function toOrganizationBilling(
  { plans, config, now }: Pick<BillingApp, "plans" | "config" | "now">,
  organizationId: string,
  subscription: Subscription | undefined,
): OrganizationBillingOut {
  const { publicUrl } = config.http;
  const { plan, status } = toTier(plans, subscription, now());
  return {
    organizationId,
    plan: plan.name,
    status,
    currentPeriodEnd: subscription?.currentPeriodEnd?.toISOString() ?? null,
    links: {
      self: hrefOf(publicUrl, paths.organizationBilling, { organizationId }),
      organization: hrefOf(publicUrl, paths.document, {
        resource: "organizations",
        documentId: organizationId,
      }),
      plans: hrefOf(publicUrl, paths.plans, {}),
    },
  };
}
