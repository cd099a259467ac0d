import { Type } from "typebox";
import { hrefOf, paths } from "@avow/contract/urls";
import type { Http } from "../../http/http.ts";
import type { BillingApp } from "./app.ts";
import { registerCheckoutRoutes } from "./checkout-routes.ts";
import { registerOrganizationRoutes } from "./organization-routes.ts";
import { PlanOut } from "./schema.ts";
import { registerWebhookRoute } from "./webhook-routes.ts";

/** Registers the routes of wire section 8. The list of plans is public. */
export function registerBillingRoutes(http: Http, app: BillingApp): void {
  const self = hrefOf(app.config.http.publicUrl, paths.plans, {});
  http.get(
    paths.plans,
    {
      schema: {
        tags: ["billing"],
        summary: "List the plans and their limits",
        operationId: "listPlans",
        description: "Public, for a page of prices.",
        response: { 200: Type.Array(PlanOut) },
      },
      config: { cors: "any" },
    },
    () =>
      [...app.plans.byName.values()].map((plan) => ({
        ...plan,
        layouts: [...plan.layouts],
        canBuy: app.payments.charging?.plans.has(plan.name) ?? false,
        links: { self },
      })),
  );
  registerCheckoutRoutes(http, app);
  registerOrganizationRoutes(http, app);
  registerWebhookRoute(http, app);
}
